//! Mistakes with bodies and solid objects are reported, not ignored.

use crate::common::Bench;

/// Each script must fail with this text, after [`crate::common::HERO`].
fn refused(cases: &[(&str, &str)]) {
    for (script, wanted) in cases {
        let fault = Bench::empty().fault(&format!("{}{script}", crate::common::HERO));
        assert_eq!(fault.text, *wanted, "{script}");
    }
}

#[test]
fn invalid_colliders_and_surfaces_are_refused() {
    refused(&[
        (
            "physics.surface('mud', {}) physics.box { surface = 'mudd' }",
            "unknown surface \"mudd\"; create it with physics.surface; did you mean \"mud\"?",
        ),
        (
            "physics.box { friction = -1 }",
            "physics.box: field \"friction\": must be 0 or more, got -1",
        ),
        (
            "physics.box { restitution = 2 }",
            "physics.box: field \"restitution\": must be 0 to 1, got 2",
        ),
        (
            "physics.box { mass = 1, damping = -0.5 }",
            "physics.box: field \"damping\": must be 0 or more, got -0.5",
        ),
        (
            "physics.surface('mud', { friction = -1 })",
            "physics.surface: field \"friction\": must be 0 or more, got -1",
        ),
        (
            "physics.surface('mud', { restitution = 1.5 })",
            "physics.surface: field \"restitution\": must be 0 to 1, got 1.5",
        ),
        (
            "physics.box { mass = 1, body_type = 'static' }",
            "mass: only a dynamic body has a mass; remove mass or set body_type = \"dynamic\"",
        ),
        (
            "physics.box { density = 300, body_type = 'kinematic' }",
            "density: only a dynamic body has a mass; remove density or set body_type = \"dynamic\"",
        ),
        (
            "physics.box { mass = 1, density = 300 }",
            "density: give either mass or density",
        ),
        (
            "physics.stairs { steps = 2.5 }",
            "physics.stairs: field \"steps\": must be a whole number, 0 or more, got 2.5",
        ),
        (
            "physics.force_field { force = vector.create(1, 0, 0), shape = 'box' }",
            "size: a box needs a size, in metres",
        ),
    ]);
    // Earlier definitions are known, and so are built-in ones.
    Bench::new(
        "physics.surface('mud', { friction = 0 }) physics.box { surface = 'mud' } physics.box { surface = 'ice', friction = 0 }",
    );
}

#[test]
fn invalid_limb_settings_are_refused() {
    refused(&[
        (
            "hero:ragdoll { bones = 'foot_l' }",
            "ragdoll: bone \"foot_l\" has no rigid body; it moves with the body of bone \"root\"",
        ),
        (
            "hero:ragdoll { bones = {} }",
            "ragdoll: bones: name at least one bone",
        ),
        (
            "hero:ragdoll { motor_strength = 7 }",
            "character:ragdoll: field \"motor_strength\": must be 0 to 1, got 7",
        ),
        (
            "hero:ragdoll { pin = 0.5 }",
            "ragdoll: pin needs motors; add the option motor_strength = 1",
        ),
        (
            "hero:ragdoll { kinematic = true, motor_strength = 1 }",
            "ragdoll: give either motor_strength or kinematic",
        ),
        (
            "hero:ragdoll { motor_strength = 1, motor_frequency = 100 }",
            "character:ragdoll: field \"motor_frequency\": must be 0 to 60, got 100",
        ),
    ]);
    Bench::new(
        "local hero = character 'post.glb' hero:ragdoll { bones = 'upper', motor_strength = 1, pin = 0 }",
    );
}

#[test]
fn speeds_and_pushes_that_nothing_would_feel_are_refused() {
    let crate_that = "local box = physics.box { name = 'box', ";
    let refuse = |options: &str, script: &str, wanted: &str| {
        let script = format!("{crate_that}{options} }} {script}");
        refused(&[(&script, wanted)]);
    };
    let stays = "box is static; make it dynamic: use thing:collider { mass = 5 }, or set body_type = \"dynamic\"";
    let moved = "box is kinematic; set its position in each tick instead";
    for (call, what) in [
        ("box.velocity = vector.create(1, 0, 0)", "velocity"),
        (
            "box.angular_velocity = vector.create(1, 0, 0)",
            "angular_velocity",
        ),
        ("box:apply_impulse(vector.create(1, 0, 0))", "apply_impulse"),
    ] {
        refuse("", call, &format!("{what}: {stays}"));
        refuse("body_type = 'kinematic'", call, &format!("{what}: {moved}"));
        Bench::new(&format!("{crate_that} mass = 1 }} {call}"));
    }
    let free = "thing:collider { mass = 5 }, or set body_type = \"dynamic\"";
    refused(&[
        (
            "hero.velocity = vector.create(1, 0, 0)",
            &format!(
                "velocity: post.glb#0 has no controller and no dynamic body; use hero:controller {{}}, or {free}"
            ),
        ),
        (
            "hero:controller {} hero.angular_velocity = vector.create(0, 90, 0)",
            &format!("angular_velocity: post.glb#0 has no dynamic body; use {free}"),
        ),
        (
            "hero:apply_impulse(vector.create(1, 0, 0))",
            &format!(
                "apply_impulse: post.glb#0 has no dynamic body; use {free}. For a hit, use hero:hit {{ impulse = … }}"
            ),
        ),
        (
            "hero:ragdoll() hero.velocity = vector.create(1, 0, 0)",
            "velocity: post.glb#0 is a ragdoll; use hero:apply_impulse(impulse)",
        ),
    ]);
    Bench::new(
        "local hero = character 'post.glb' hero:controller {} hero.velocity = vector.create(1, 0, 0)
        hero:ragdoll() hero:apply_impulse(vector.create(1, 0, 0))",
    );
}

#[test]
fn numbers_out_of_their_range_are_refused_as_they_were_written() {
    refused(&[
        (
            "hero:controller {} hero:jump { height = -1 }",
            "character:jump: field \"height\": must be 0 to 10000, got -1",
        ),
        (
            "hero:controller { height = 1.5, max_step_height = 5 }",
            "controller: max_step_height must be at most the height, 1.5 m, got 5 m",
        ),
        (
            "hero:spring_bone('upper', { stiffness = -1 })",
            "character:spring_bone: field \"stiffness\": must be 0 or more, got -1",
        ),
        (
            "hero:spring_bone('upper', { drag = 1.5 })",
            "character:spring_bone: field \"drag\": must be 0 to 1, got 1.5",
        ),
        (
            "hero:cloth { chains = { 'root', 'upper' } }",
            "cloth: chains \"root\" and \"upper\" have bones in common",
        ),
        (
            "hero.position = vector.create(1e8, 0, 0)",
            "position: must be within 100000 m of the origin along each axis, got [100000000, 0, 0]",
        ),
        (
            "hero:hit { impulse = vector.create(0/0, 0, 0) }",
            "character:hit: field \"impulse\": vector(NaN, 0, 0) is out of range; \
             coordinates must be -1000000000 to 1000000000",
        ),
        (
            "hero:hit_reactions { fall_threshold = -1 }",
            "character:hit_reactions: field \"fall_threshold\": must be 0 or more, got -1",
        ),
        (
            "hero:hit_reactions { fall_threshold = 0.5 }",
            "hit_reactions: fall_threshold must be at least stagger_threshold, which is 0.9, got 0.5",
        ),
        (
            "hero:hit_reactions { get_up_delay = -1 }",
            "character:hit_reactions: field \"get_up_delay\": must be 0 or more, got -1",
        ),
    ]);
}

#[test]
fn attachment_cycles_are_reported_by_name() {
    refused(&[
        (
            "local cup = character('post.glb', { name = 'cup' }) hero:attach(cup, 'upper') cup:attach(hero, 'upper')",
            "attach: cup is attached to post.glb#0, so post.glb#0 cannot be attached to cup",
        ),
        (
            "hero:attach(hero, 'upper')",
            "attach: post.glb#0 cannot be attached to itself",
        ),
    ]);
}

#[test]
fn a_hit_inside_of_on_hit_of_the_same_character_is_refused() {
    let script = "local hero = character('post.glb', { name = 'hero' })
        local other = character 'post.glb'
        hero:hit_reactions { on_hit = function(e)
            other:hit { impulse = vector.create(1, 0, 0) }
            hero:hit { impulse = e.impulse }
        end }
        local good, why = pcall(function() hero:hit { impulse = vector.create(0, 0, 1) } end)
        print(good, why)
        hero:hit_reactions { on_hit = false }
        print(hero:hit { impulse = vector.create(0, 0, 1), reaction = 'flinch' })";
    let printed = Bench::new(script).printed();
    assert!(
        printed[0].contains("the on_hit function of hero must not hit the same character"),
        "{printed:?}"
    );
    assert_eq!(printed[1], "flinch");
}

#[test]
fn a_removed_object_is_reported_by_name() {
    refused(&[
        (
            "hero:remove() print(hero.position)",
            "post.glb#0 was removed from the stage",
        ),
        (
            "local box = physics.box { name = 'crate' } box:remove() box:apply_impulse(vector.create(1, 0, 0))",
            "crate was removed from the stage",
        ),
        (
            "local box = physics.box { name = 'crate' } box:remove() hero:attach(box, 'upper')",
            "crate was removed from the stage",
        ),
        (
            "hero:remove() camera.frame(hero)",
            "post.glb#0 was removed from the stage",
        ),
    ]);
}

#[test]
fn a_number_is_read_as_it_was_set() {
    let script = "local hero = character 'post.glb' { scale = 0.2, yaw = 33.3 }
        hero.health = 0.9 hero.balance = 0.7
        hero:on('hit', function(e) print(e.damage) end)
        hero:hit { impulse = vector.create(0, 0, 0.001), damage = 0.1 }
        print(hero.health, hero.balance, hero.scale, hero.yaw)";
    let mut bench = Bench::new(script);
    bench.run(0.05);
    let printed = bench.printed();
    assert_eq!(printed[0], "0.8\t0.7\t0.2\t33.3");
    assert_eq!(printed[1], "0.1");
}

#[test]
fn a_hit_that_takes_the_last_health_is_reported_as_a_fall() {
    let script = "local hero = character 'post.glb'
        hero:hit_reactions { on_hit = function(e) print('asked', e.reaction) return 'flinch' end }
        hero:on('hit', function(e) print('told', e.reaction) end)
        print(hero:hit { impulse = vector.create(0, 0, 0.001), damage = 1 }, hero.is_dead)
        sleep(0.1)
        hero:get_up()
        print(hero.health)";
    let script = format!(
        "task(function(a) {} end)",
        script.replace("sleep(", "a:wait(")
    );
    let mut bench = Bench::new(&script);
    bench.run(0.3);
    let told = ["asked\tfall", "fall\ttrue", "told\tfall", "0.01"];
    assert_eq!(bench.printed(), told);
}

#[test]
fn an_object_attached_to_a_hand_gets_no_velocity_from_the_jump() {
    let script = "local hero = character 'post.glb'
        local ball = physics.sphere { position = vector.create(0.3, 0.2, 0.4), radius = 0.1, mass = 1 }
        task(function(a)
            a:wait(0.1)
            hero:attach(ball, 'upper')
            a:wait(0.02)
            local fastest = 0
            for i = 1, 6 do
                fastest = math.max(fastest, vector.magnitude(ball.velocity))
                a:wait(0.016)
            end
            hero:attach(ball, 'upper', { offset = vector.create(0, 0.5, 0) })
            for i = 1, 6 do
                a:wait(0.016)
                fastest = math.max(fastest, vector.magnitude(ball.velocity))
            end
            print(fastest < 1, fastest)
        end)";
    let mut bench = Bench::new(script);
    bench.run(0.5);
    let printed = bench.printed();
    assert!(printed[0].starts_with("true"), "{printed:?}");
}
