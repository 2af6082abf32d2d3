//! Common English words that no rule reads right.

/// Words and their sounds, parted by `;`.
pub const WORDS: &str = "\
the DH AH0; a AH0; an AE N; and AE N D; of AH V; to T UW; too T UW; two T UW; into IH1 N T UW; onto AA1 N T UW; \
unto AH1 N T UW; i AY; i'm AY M; i've AY V; i'd AY D; i'll AY L; you Y UW; your Y AO R; yours Y AO R Z; you're Y AO R; \
you've Y UW V; you'd Y UW D; you'll Y UW L; yourself Y ER S EH1 L F; youth Y UW TH; he HH IY; he's HH IY Z; she SH IY; \
she's SH IY Z; we W IY; we're W IH R; we've W IY V; we'll W IY L; be B IY; me M IY; they DH EY; they're DH EH R; \
they've DH EY V; they'll DH EY L; them DH EH M; their DH EH R; theirs DH EH R Z; there DH EH R; there's DH EH R Z; \
then DH EH N; than DH AE N; that DH AE T; that's DH AE T S; this DH IH S; these DH IY Z; those DH OW Z; though DH OW; \
although AO L DH OW1; thus DH AH S; thou DH AW; thee DH IY; thy DH AY; with W IH DH; within W IH DH IH1 N; \
without W IH DH AW1 T; through TH R UW; throughout TH R UW AW1 T; thorough TH ER1 OW; thought TH AO T; tough T AH F; \
rough R AH F; enough IH N AH1 F; cough K AO F; laugh L AE F; laughed L AE F T; laughter L AE1 F T ER; draught D R AE F T; \
bough B AW; dough D OW; was W AA Z; wasn't W AA1 Z AH N T; were W ER; weren't W ER1 AH N T; is IH Z; isn't IH1 Z AH N T; \
are AA R; aren't AA1 R AH N T; as AE Z; has HH AE Z; hasn't HH AE1 Z AH N T; have HH AE V; haven't HH AE1 V AH N T; \
having HH AE1 V IH NG; had HH AE D; hadn't HH AE1 D AH N T; his HH IH Z; do D UW; does D AH Z; doesn't D AH1 Z AH N T; \
doing D UW1 IH NG; done D AH N; don't D OW N T; didn't D IH1 D AH N T; won't W OW N T; can't K AE N T; \
couldn't K UH1 D AH N T; wouldn't W UH1 D AH N T; shouldn't SH UH1 D AH N T; mustn't M AH1 S AH N T; could K UH D; \
would W UH D; should SH UH D; been B IH N; being B IY1 IH NG; said S EH D; says S EH Z; say S EY; again AH G EH1 N; \
against AH G EH1 N S T; any EH1 N IY; anyone EH1 N IY W AH N; anybody EH1 N IY B AA D IY; anything EH1 N IY TH IH NG; \
anyway EH1 N IY W EY; many M EH1 N IY; one W AH N; once W AH N S; ones W AH N Z; none N AH N; nothing N AH1 TH IH NG; \
someone S AH1 M W AH N; everyone EH1 V R IY W AH N; some S AH M; come K AH M; comes K AH M Z; \
coming K AH1 M IH NG; become B IH K AH1 M; becomes B IH K AH1 M Z; something S AH1 M TH IH NG; sometimes S AH1 M T AY M Z; \
somewhere S AH1 M W EH R; somehow S AH1 M HH AW; son S AH N; ton T AH N; front F R AH N T; month M AH N TH; monkey M AH1 NG K IY; \
money M AH1 N IY; honey HH AH1 N IY; monday M AH1 N D EY; mother M AH1 DH ER; brother B R AH1 DH ER; other AH1 DH ER; \
others AH1 DH ER Z; another AH N AH1 DH ER; love L AH V; loved L AH V D; lovely L AH1 V L IY; lover L AH1 V ER; \
loves L AH V Z; loving L AH1 V IH NG; above AH B AH1 V; dove D AH V; glove G L AH V; shove SH AH V; move M UW V; moved M UW V D; \
moving M UW1 V IH NG; moves M UW V Z; movie M UW1 V IY; prove P R UW V; improve IH M P R UW1 V; lose L UW Z; losing L UW1 Z IH NG; \
whose HH UW Z; who HH UW; who's HH UW Z; whom HH UW M; whole HH OW L; what W AH T; what's W AH T S; whatever W AH T EH1 V ER; \
where W EH R; where's W EH R Z; want W AA N T; wants W AA N T S; wanted W AA1 N T IH D; water W AO1 T ER; \
watch W AA CH; war W AO R; word W ER D; words W ER D Z; work W ER K; world W ER L D; worse W ER S; worst W ER S T; \
worth W ER TH; worry W ER1 IY; woman W UH1 M AH N; women W IH1 M IH N; wolf W UH L F; won W AH N; wonder W AH1 N D ER; \
good G UH D; goodbye G UH D B AY1; stood S T UH D; understood AH N D ER S T UH1 D; foot F UH T; wood W UH D; wool W UH L; \
blood B L AH D; flood F L AH D; door D AO R; floor F L AO R; poor P UH R; four F AO R; fourth F AO R TH; forty F AO1 R T IY; \
eight EY T; eighth EY T TH; height HH AY T; either IY1 DH ER; neither N IY1 DH ER; key K IY; people P IY1 P AH L; \
friend F R EH N D; friends F R EH N D Z; view V Y UW; eye AY; eyes AY Z; buy B AY; guy G AY; bye B AY; die D AY; lie L AY; \
tie T AY; pie P AY; great G R EY T; break B R EY K; steak S T EY K; heart HH AA R T; hearth HH AA R TH; head HH EH D; \
dead D EH D; bread B R EH D; ready R EH1 D IY; already AO L R EH1 D IY; instead IH N S T EH1 D; heavy HH EH1 V IY; \
heaven HH EH1 V AH N; breakfast B R EH1 K F AH S T; breath B R EH TH; breathe B R IY DH; death D EH TH; weather W EH1 DH ER; \
leather L EH1 DH ER; feather F EH1 DH ER; pleasure P L EH1 ZH ER; measure M EH1 ZH ER; treasure T R EH1 ZH ER; meant M EH N T; \
sweat S W EH T; threat TH R EH T; weapon W EH1 P AH N; bear B EH R; wear W EH R; tear T EH R; pear P EH R; swear S W EH R; \
heard HH ER D; early ER1 L IY; earth ER TH; learn L ER N; search S ER CH; year Y IH R; years Y IH R Z; beautiful B Y UW1 T AH F AH L; \
beauty B Y UW1 T IY; because B IH K AO1 Z; aunt AE N T; busy B IH1 Z IY; business B IH1 Z N AH S; build B IH L D; built B IH L T; \
building B IH1 L D IH NG; minute M IH1 N AH T; sure SH UH R; surely SH UH1 R L IY; sugar SH UH1 G ER; full F UH L; pull P UH L; \
push P UH SH; put P UH T; putting P UH1 T IH NG; butcher B UH1 CH ER; cushion K UH1 SH AH N; truth T R UW TH; lives L IH V Z; \
live L IH V; lived L IH V D; living L IH1 V IH NG; give G IH V; gives G IH V Z; given G IH1 V AH N; giving G IH1 V IH NG; \
forgive F ER G IH1 V; get G EH T; gets G EH T S; getting G EH1 T IH NG; forget F ER G EH1 T; together T AH G EH1 DH ER; \
girl G ER L; gift G IH F T; tiger T AY1 G ER; finger F IH1 NG G ER; anger AE1 NG G ER; hunger HH AH1 NG G ER; singer S IH1 NG ER; \
ever EH1 V ER; every EH1 V R IY; everything EH1 V R IY TH IH NG; never N EH1 V ER; even IY1 V IH N; evening IY1 V N IH NG; \
seven S EH1 V AH N; eleven IH L EH1 V AH N; very V EH1 R IY; iron AY1 ER N; island AY1 L AH N D; isle AY L; aisle AY L; \
listen L IH1 S AH N; castle K AE1 S AH L; answer AE1 N S ER; sword S AO R D; hour AW ER; hours AW ER Z; honest AA1 N AH S T; \
honor AA1 N ER; heir EH R; ghost G OW S T; chaos K EY1 AA S; echo EH1 K OW; ache EY K; stomach S T AH1 M AH K; school S K UW L; \
character K EH1 R IH K T ER; machine M AH SH IY1 N; ocean OW1 SH AH N; special S P EH1 SH AH L; social S OW1 SH AH L; use Y UW Z; \
used Y UW Z D; please P L IY Z; house HH AW S; close K L OW Z; course K AO R S; court K AO R T; pour P AO R; soul S OW L; \
shoulder SH OW1 L D ER; soup S UW P; group G R UW P; wound W UW N D; touch T AH CH; young Y AH NG; country K AH1 N T R IY; \
cousin K AH1 Z AH N; double D AH1 B AH L; trouble T R AH1 B AH L; enemy EH1 N AH M IY; only OW1 N L IY; most M OW S T; both B OW TH; \
post P OW S T; gone G AO N; dog D AO G; off AO F; office AO1 F AH S; often AO1 F AH N; on AA N; upon AH P AA1 N; or AO R; for F AO R; \
from F R AH M; but B AH T; so S OW; go G OW; going G OW1 IH NG; goes G OW Z; no N OW; know N OW; known N OW N; shown SH OW N; \
own OW N; grown G R OW N; throw TH R OW; show SH OW; low L OW; slow S L OW; now N AW; how HH AW; down D AW N; town T AW N; \
allow AH L AW1; power P AW1 ER; flower F L AW1 ER; tower T AW1 ER; tomorrow T AH M AA1 R OW; today T AH D EY1; tonight T AH N AY1 T; \
yesterday Y EH1 S T ER D EY; always AO1 L W EY Z; also AO1 L S OW; almost AO1 L M OW S T; father F AA1 DH ER; rather R AE1 DH ER; \
master M AE1 S T ER; half HH AE F; calm K AA M; palm P AA M; salt S AO L T; false F AO L S; quite K W AY T; quiet K W AY1 AH T; \
science S AY1 AH N S; idea AY D IY1 AH; real R IY L; really R IY1 L IY; area EH1 R IY AH; create K R IY EY1 T; hello HH AH L OW1; \
okay OW K EY1; oh OW; ah AA; hmm HH AH M; mm M; yes Y EH S; yeah Y AE; mr M IH1 S T ER; us AH S; bus B AH S; if IH F; \
here HH IH R; mere M IH R; sphere S F IH R; ancient EY1 N CH AH N T; danger D EY1 N JH ER; change CH EY N JH; strange S T R EY N JH; \
hundred HH AH1 N D R AH D; thousand TH AW1 Z AH N D; million M IH1 L Y AH N; color K AH1 L ER; colour K AH1 L ER; blue B L UW; \
july JH UH L AY1; february F EH1 B Y AH W EH R IY; wednesday W EH1 N Z D EY; saturday S AE1 T ER D EY; tuesday T UW1 Z D EY; \
queue K Y UW; choir K W AY1 ER; colonel K ER1 N AH L; yacht Y AA T; debt D EH T; doubt D AW T; receipt R IH S IY1 T; nine N AY N; nineteen N AY N T IY1 N; ninety N AY1 N T IY; ninth N AY N TH; zero Z IY1 R OW; minus M AY1 N AH S; \
thirteen TH ER T IY1 N; fourteen F AO R T IY1 N; fifteen F IH F T IY1 N; sixteen S IH K S T IY1 N; seventeen S EH V AH N T IY1 N; \
eighteen EY T IY1 N; twelfth T W EH L F TH; fifth F IH F TH; percent P ER S EH1 N T; twenty T W EH1 N T IY; eighty EY1 T IY; euro Y UH1 R OW; \
nasa N AE1 S AH; missis M IH1 S IH Z; etsetera EH T S EH1 T ER AH; galatea G AE L AH T IY1 AH; muscle M AH1 S AH L";
