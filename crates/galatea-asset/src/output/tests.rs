use super::*;
use std::sync::atomic::{AtomicBool, Ordering};

/// A temporary folder of one test, removed at its end.
fn folder() -> tempfile::TempDir {
    tempfile::tempdir().unwrap()
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap().flatten();
    let mut names: Vec<String> = entries
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    names
}

#[test]
fn an_unfinished_file_leaves_the_old_one_and_nothing_else() {
    let folder = folder();
    let file = folder.path().join("new/a.bin");
    write_whole(&file, b"before").unwrap();
    let mut begun = NewFile::create(&file).unwrap();
    begun.write_all(b"half of it").unwrap();
    assert_eq!(fs::read(&file).unwrap(), b"before", "not until it is whole");
    drop(begun);
    assert_eq!(fs::read(&file).unwrap(), b"before");
    assert_eq!(names(file.parent().unwrap()), ["a.bin"]);
    let mut begun = NewFile::create(&file).unwrap();
    begun.handle().unwrap().write_all(b"through ").unwrap();
    begun.write_all(b"a handle").unwrap();
    begun.finish().unwrap();
    assert_eq!(fs::read(&file).unwrap(), b"through a handle");
    assert_eq!(names(file.parent().unwrap()), ["a.bin"]);
}

#[test]
fn a_file_that_cannot_be_written_is_named_and_nothing_is_left() {
    let folder = folder();
    let occupied = folder.path().join("occupied");
    fs::create_dir(&occupied).unwrap();
    let error = write_whole(&occupied, b"x").unwrap_err().to_string();
    assert!(
        error.contains("occupied") && error.contains("folder"),
        "{error}"
    );
    let file = folder.path().join("file");
    write_whole(&file, b"x").unwrap();
    let error = write_whole(&file.join("below"), b"x").unwrap_err();
    assert!(error.to_string().contains("below"), "{error}");
    assert_eq!(names(folder.path()), ["file", "occupied"]);
}

#[cfg(unix)]
#[test]
fn permissions_stay_programs_can_be_run_and_links_of_the_user_are_followed() {
    use std::os::unix::fs::{PermissionsExt as _, symlink};
    let folder = folder();
    let mode = |file: &Path| fs::metadata(file).unwrap().permissions().mode() & 0o777;
    let (file, usual) = (folder.path().join("file"), folder.path().join("usual"));
    fs::write(&usual, "x").unwrap();
    write_whole(&file, b"one").unwrap();
    assert_eq!(mode(&file), mode(&usual));
    fs::set_permissions(&file, fs::Permissions::from_mode(0o600)).unwrap();
    let link = folder.path().join("link");
    symlink(&file, &link).unwrap();
    write_whole(&link, b"two").unwrap();
    assert!(link.is_symlink());
    assert_eq!(
        (fs::read(&file).unwrap(), mode(&file)),
        (b"two".to_vec(), 0o600)
    );
    let program = folder.path().join("program");
    write_program(&program, b"x").unwrap();
    assert_eq!(mode(&program) & 0o100, 0o100);
}

#[cfg(target_os = "linux")]
#[test]
fn a_device_is_written_and_not_replaced_and_a_full_one_gives_an_error() {
    write_whole(Path::new("/dev/null"), b"x").unwrap();
    let error = write_whole(Path::new("/dev/full"), b"x").unwrap_err();
    assert_eq!(error.kind(), io::ErrorKind::StorageFull);
    assert!(error.to_string().contains("/dev/full"), "{error}");
    for device in ["/dev/null", "/dev/full"] {
        assert!(!fs::metadata(device).unwrap().is_file(), "{device}");
    }
}

#[test]
fn scripts_write_plain_names_in_their_folder_only() {
    let folder = folder();
    let out = OutputFolder::new(folder.path(), "out");
    let path = out.write("density-2.png", b"one").unwrap();
    assert_eq!(path, folder.path().join("out").join("density-2.png"));
    out.write("density-2.png", b"two").unwrap();
    assert_eq!(fs::read(&path).unwrap(), b"two");
    let long = "a".repeat(MAX_NAME + 1);
    for name in [
        "",
        ".",
        "..",
        "../x.png",
        "a/b.png",
        "a\\b.png",
        "/x.png",
        "c:x.png",
        "x.png:stream",
        ".hidden",
        "x.png.",
        "x.png ",
        "CON",
        "con.png",
        "Nul.tar.gz",
        "COM1.png",
        "lpt9",
        "aux.x",
        "e\u{301}.png",
        "x\0.png",
        "x\n.png",
        &long,
    ] {
        let error = out.write(name, b"x").unwrap_err().to_string();
        assert!(error.contains("name"), "{name:?}: {error}");
        assert!(out.remove(name).is_err(), "{name:?}");
    }
    assert_eq!(names(folder.path()), ["out"]);
    assert_eq!(names(&folder.path().join("out")), ["density-2.png"]);
    for name in ["console.png", "com.png", "com10.png", "a.con"] {
        out.write(name, b"x").unwrap();
        out.remove(name).unwrap();
        out.remove(name).unwrap();
    }
}

#[test]
fn the_root_itself_can_be_the_folder_and_nested_folders_are_created() {
    let folder = folder();
    let root = folder.path().join("user");
    OutputFolder::new(&root, "")
        .write("bindings.toml", b"x")
        .unwrap();
    OutputFolder::new(&root, "tests/pictures")
        .write("a.png", b"x")
        .unwrap();
    assert_eq!(names(&root), ["bindings.toml", "tests"]);
    assert_eq!(names(&root.join("tests/pictures")), ["a.png"]);
}

#[cfg(unix)]
#[test]
fn no_link_leads_out_of_the_folder() {
    use std::os::unix::fs::symlink;
    let folder = folder();
    let (root, away) = (folder.path().join("project"), folder.path().join("away"));
    fs::create_dir_all(root.join("out")).unwrap();
    fs::create_dir_all(&away).unwrap();
    fs::write(away.join("a.png"), "mine").unwrap();
    symlink(away.join("a.png"), root.join("out/a.png")).unwrap();
    symlink("nowhere", root.join("out/b.png")).unwrap();
    let out = OutputFolder::new(&root, "out");
    for name in ["a.png", "b.png"] {
        let error = out.write(name, b"x").unwrap_err().to_string();
        assert!(error.contains(name) && error.contains("link"), "{error}");
    }
    out.remove("a.png").unwrap();
    assert_eq!(fs::read(away.join("a.png")).unwrap(), b"mine");
    // A hard link is replaced; the other name keeps the old content.
    fs::hard_link(away.join("a.png"), root.join("out/c.png")).unwrap();
    out.write("c.png", b"own").unwrap();
    assert_eq!(fs::read(away.join("a.png")).unwrap(), b"mine");
    fs::remove_dir_all(root.join("out")).unwrap();
    symlink(&away, root.join("out")).unwrap();
    let error = out.write("new.png", b"x").unwrap_err().to_string();
    assert!(error.contains("out is a link"), "{error}");
    assert!(out.remove("a.png").is_err());
    symlink(&away, root.join("tests")).unwrap();
    assert!(
        OutputFolder::new(&root, "tests/pictures")
            .write("a.png", b"x")
            .is_err()
    );
    assert_eq!(names(&away), ["a.png"]);
}

/// Another program swaps the folder for a link again and again.
#[cfg(unix)]
#[test]
fn a_link_created_in_the_meantime_does_not_lead_out_either() {
    use std::os::unix::fs::symlink;
    let folder = folder();
    let (root, away) = (folder.path().join("project"), folder.path().join("away"));
    fs::create_dir_all(root.join("out")).unwrap();
    fs::create_dir_all(&away).unwrap();
    let ends = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !ends.load(Ordering::Relaxed) {
                let _ = fs::rename(root.join("out"), root.join("real"));
                let _ = symlink(&away, root.join("out"));
                let _ = fs::remove_file(root.join("out"));
                let _ = fs::rename(root.join("real"), root.join("out"));
            }
        });
        let out = OutputFolder::new(&root, "out");
        for _ in 0..2000 {
            let _ = out.write("a.png", b"x");
        }
        ends.store(true, Ordering::Relaxed);
    });
    assert_eq!(names(&away), [""; 0]);
}

/// Two programs write one file while others read it: each reader gets one of the complete versions.
#[test]
fn a_file_with_several_writers_is_never_read_partially() {
    let folder = folder();
    let out = OutputFolder::new(folder.path(), "");
    let texts = ["a".repeat(60_000), "b".repeat(90_000)];
    out.write("shared", texts[0].as_bytes()).unwrap();
    let ends = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let writers: Vec<_> = texts
            .iter()
            .map(|text| {
                let out = &out;
                scope.spawn(move || {
                    (0..60).try_for_each(|_| out.write("shared", text.as_bytes()).map(drop))
                })
            })
            .collect();
        let reader = scope.spawn(|| {
            let mut n = 0;
            while !ends.load(Ordering::Relaxed) {
                let text = fs::read_to_string(folder.path().join("shared")).unwrap();
                assert!(texts.contains(&text), "{} bytes", text.len());
                n += 1;
            }
            n
        });
        for writer in writers {
            writer.join().unwrap().unwrap();
        }
        ends.store(true, Ordering::Relaxed);
        assert!(reader.join().unwrap() > 0);
    });
    assert_eq!(names(folder.path()), ["shared"]);
}
