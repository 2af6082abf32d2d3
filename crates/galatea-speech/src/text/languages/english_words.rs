//! Common English words that the rules read wrong.

/// Words and their phones, separated by `;`.
pub const WORDS: &str = "\
the DH AH0; a AH0; of AH V; to T UW; two T UW; into IH1 N T UW; onto AA1 N T UW; unto AH1 N T UW; i AY; i'm AY M; i've AY V; \
i'd AY D; i'll AY L; your Y AO R; you're Y AO R; you've Y UW V; you'd Y UW D; you'll Y UW L; yourself Y ER S EH1 L F; \
youth Y UW TH; he's HH IY Z; she's SH IY Z; we're W IH R; we've W IY V; we'll W IY L; they DH EY; they're DH EH R; \
they've DH EY V; they'll DH EY L; them DH EH M; their DH EH R; theirs DH EH R Z; there DH EH R; there's DH EH R Z; \
then DH EH N; than DH AE N; that DH AE T; that's DH AE T S; this DH IH S; these DH IY Z; those DH OW Z; though DH OW; \
although AO L DH OW1; thus DH AH S; thou DH AW; thee DH IY; thy DH AY; with W IH DH; within W IH DH IH1 N; \
without W IH DH AW1 T; through TH R UW; throughout TH R UW AW1 T; thorough TH ER1 OW; tough T AH F; rough R AH F; \
enough IH N AH1 F; cough K AO F; laugh L AE F; laughed L AE F T; laughter L AE1 F T ER; draught D R AE F T; bough B AW; \
dough D OW; was W AA Z; wasn't W AA1 Z AH N T; were W ER; weren't W ER1 AH N T; is IH Z; isn't IH1 Z AH N T; are AA R; \
aren't AA1 R AH N T; hasn't HH AE1 Z AH N T; have HH AE V; haven't HH AE1 V AH N T; having HH AE1 V IH NG; his HH IH Z; \
do D UW; does D AH Z; doesn't D AH1 Z AH N T; doing D UW1 IH NG; done D AH N; don't D OW N T; won't W OW N T; can't K AE N T; \
couldn't K UH1 D AH N T; wouldn't W UH1 D AH N T; shouldn't SH UH1 D AH N T; mustn't M AH1 S AH N T; could K UH D; \
would W UH D; should SH UH D; been B IH N; being B IY1 IH NG; said S EH D; says S EH Z; again AH G EH1 N; \
against AH G EH1 N S T; anyone EH1 N IY W AH N; anybody EH1 N IY B AA D IY; many M EH1 N IY; one W AH N; once W AH N S; \
ones W AH N Z; none N AH N; nothing N AH1 TH IH NG; someone S AH1 M W AH N; everyone EH1 V R IY W AH N; some S AH M; \
come K AH M; comes K AH M Z; coming K AH1 M IH NG; become B IH K AH1 M; becomes B IH K AH1 M Z; something S AH1 M TH IH NG; \
sometimes S AH1 M T AY M Z; somewhere S AH1 M W EH R; front F R AH N T; month M AH N TH; monkey M AH1 NG K IY; \
money M AH1 N IY; honey HH AH1 N IY; monday M AH1 N D EY; another AH N AH1 DH ER; above AH B AH1 V; lose L UW Z; \
losing L UW1 Z IH NG; whose HH UW Z; who HH UW; who's HH UW Z; whom HH UW M; whole HH OW L; what W AH T; what's W AH T S; \
whatever W AH T EH1 V ER; where W EH R; where's W EH R Z; war W AO R; worse W ER S; worry W ER1 IY; woman W UH1 M AH N; \
women W IH1 M IH N; wolf W UH L F; goodbye G UH D B AY1; wool W UH L; blood B L AH D; flood F L AH D; door D AO R; \
floor F L AO R; poor P UH R; four F AO R; eighth EY T TH; height HH AY T; either IY1 DH ER; neither N IY1 DH ER; key K IY; \
people P IY1 P AH L; friend F R EH N D; friends F R EH N D Z; buy B AY; guy G AY; lie L AY; tie T AY; pie P AY; \
great G R EY T; break B R EY K; steak S T EY K; heart HH AA R T; hearth HH AA R TH; dead D EH D; ready R EH1 D IY; \
already AO L R EH1 D IY; instead IH N S T EH1 D; heavy HH EH1 V IY; heaven HH EH1 V AH N; breakfast B R EH1 K F AH S T; \
breath B R EH TH; breathe B R IY DH; weather W EH1 DH ER; leather L EH1 DH ER; feather F EH1 DH ER; meant M EH N T; \
sweat S W EH T; threat TH R EH T; weapon W EH1 P AH N; bear B EH R; wear W EH R; tear T EH R; pear P EH R; swear S W EH R; \
heard HH ER D; learn L ER N; years Y IH R Z; beautiful B Y UW1 T AH F AH L; beauty B Y UW1 T IY; because B IH K AO1 Z; \
aunt AE N T; busy B IH1 Z IY; business B IH1 Z N AH S; minute M IH1 N AH T; sure SH UH R; surely SH UH1 R L IY; \
sugar SH UH1 G ER; put P UH T; putting P UH1 T IH NG; butcher B UH1 CH ER; cushion K UH1 SH AH N; truth T R UW TH; \
lives L IH V Z; live L IH V; lived L IH V D; living L IH1 V IH NG; forgive F ER G IH1 V; forget F ER G EH1 T; \
together T AH G EH1 DH ER; girl G ER L; finger F IH1 NG G ER; anger AE1 NG G ER; hunger HH AH1 NG G ER; every EH1 V R IY; \
everything EH1 V R IY TH IH NG; even IY1 V IH N; evening IY1 V N IH NG; seven S EH1 V AH N; eleven IH L EH1 V AH N; \
iron AY1 ER N; island AY1 L AH N D; isle AY L; aisle AY L; listen L IH1 S AH N; castle K AE1 S AH L; answer AE1 N S ER; \
sword S AO R D; hour AW ER; hours AW ER Z; honest AA1 N AH S T; heir EH R; ghost G OW S T; chaos K EY1 AA S; ache EY K; \
stomach S T AH1 M AH K; school S K UW L; character K EH1 R IH K T ER; machine M AH SH IY1 N; ocean OW1 SH AH N; \
please P L IY Z; course K AO R S; court K AO R T; pour P AO R; soul S OW L; shoulder SH OW1 L D ER; wound W UW N D; \
touch T AH CH; young Y AH NG; country K AH1 N T R IY; cousin K AH1 Z AH N; enemy EH1 N AH M IY; only OW1 N L IY; \
both B OW TH; gone G AO N; dog D AO G; often AO1 F AH N; upon AH P AA1 N; from F R AH M; going G OW1 IH NG; known N OW N; \
grown G R OW N; now N AW; allow AH L AW1; flower F L AW1 ER; tower T AW1 ER; tomorrow T AH M AA1 R OW; today T AH D EY1; \
tonight T AH N AY1 T; always AO1 L W EY Z; also AO1 L S OW; almost AO1 L M OW S T; father F AA1 DH ER; half HH AE F; \
calm K AA M; palm P AA M; false F AO L S; quiet K W AY1 AH T; science S AY1 AH N S; idea AY D IY1 AH; area EH1 R IY AH; \
hello HH AH L OW1; okay OW K EY1; ah AA; hmm HH AH M; mm M; yes Y EH S; yeah Y AE; mr M IH1 S T ER; us AH S; bus B AH S; \
ancient EY1 N CH AH N T; danger D EY1 N JH ER; hundred HH AH1 N D R AH D; thousand TH AW1 Z AH N D; color K AH1 L ER; \
colour K AH1 L ER; july JH UH L AY1; february F EH1 B Y AH W EH R IY; wednesday W EH1 N Z D EY; tuesday T UW1 Z D EY; \
queue K Y UW; choir K W AY1 ER; colonel K ER1 N AH L; yacht Y AA T; debt D EH T; doubt D AW T; receipt R IH S IY1 T; \
nineteen N AY N T IY1 N; ninety N AY1 N T IY; ninth N AY N TH; zero Z IY1 R OW; minus M AY1 N AH S; thirteen TH ER T IY1 N; \
fourteen F AO R T IY1 N; fifteen F IH F T IY1 N; sixteen S IH K S T IY1 N; seventeen S EH V AH N T IY1 N; \
eighteen EY T IY1 N; percent P ER S EH1 N T; euro Y UH1 R OW; nasa N AE1 S AH; missis M IH1 S IH Z; \
etsetera EH T S EH1 T ER AH; galatea G AE L AH T IY1 AH; muscle M AH1 S AH L; easy IY1 Z IY; easily IY1 Z AH L IY; \
easier IY1 Z IY ER; around ER AW1 N D; open OW1 P AH N; opened OW1 P AH N D; during D UH1 R IH NG; until AH N T IH1 L; \
unless AH N L EH1 S; yet Y EH T; guess G EH S; choose CH UW Z; chosen CH OW1 Z AH N; child CH AY L D; certain S ER1 T AH N; \
mountain M AW1 N T AH N; curtain K ER1 T AH N; captain K AE1 P T AH N; able EY1 B AH L; unable AH N EY1 B AH L; hi HH AY; \
family F AE1 M AH L IY; usually Y UW1 ZH AH W AH L IY; usual Y UW1 ZH AH W AH L; history HH IH1 S T ER IY; \
english IH1 NG G L IH SH; longer L AO1 NG G ER; stronger S T R AO1 NG G ER; younger Y AH1 NG G ER; greater G R EY1 T ER; \
safety S EY1 F T IY; similar S IH1 M AH L ER; item AY1 T AH M; across AH K R AO1 S; afraid AH F R EY1 D; \
private P R AY1 V AH T; therefore DH EH1 R F AO R; previous P R IY1 V IY AH S; shall SH AE L; simply S IH1 M P L IY; \
relative R EH1 L AH T IH V; purpose P ER1 P AH S; width W IH D TH; foreign F AO1 R AH N; square S K W EH R; \
major M EY1 JH ER; particular P ER T IH1 K Y AH L ER; legal L IY1 G AH L; actual AE1 K CH AH W AH L; \
actually AE1 K CH AH W AH L IY; test T EH S T; standard S T AE1 N D ER D; program P R OW1 G R AE M; \
document D AA1 K Y AH M AH N T; correct K ER EH1 K T; towards T AH W AO1 R D Z; toward T AH W AO1 R D; design D IH Z AY1 N; \
especially AH S P EH1 SH AH L IY; recent R IY1 S AH N T; canoe K AH N UW1; calling K AO1 L IH NG; breaking B R EY1 K IH NG; \
changing CH EY1 N JH IH NG; allowed AH L AW1 D; thrown TH R OW N; michael M AY1 K AH L; richard R IH1 CH ER D; \
unknown AH N N OW1 N; session S EH1 SH AH N; index IH1 N D EH K S; version V ER1 ZH AH N; kilometer K AH L AA1 M AH T ER; \
inches IH1 N CH IH Z";
