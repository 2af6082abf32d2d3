//! Loanwords and names with accents that are not in the dictionary.

/// Words and their phones, separated by `;`. A word that is also written without accents is listed without them. A word that
/// would then be a different word ("resume") is listed with its accents.
pub const ACCENTED: &str = "\
résumé R EH1 Z AH M EY; resumé R EH1 Z AH M EY; exposé EH K S P OW Z EY1; rosé R OW Z EY1; pâté P AA T EY1; née N EY; soufflé S UW F L EY1; \
maté M AA1 T EY; lamé L AE M EY1; à AA; são S AW; señor S EY N Y AO1 R; \
fiance F IY AA N S EY1; fiancee F IY AA N S EY1; cliche K L IY SH EY1; jalapeno HH AA L AH P EY1 N Y OW; \
pinata P IH N Y AA1 T AH; deja D EY1 ZH AA; vu V UW; entree AA1 N T R EY; touche T UW SH EY1; protege P R OW1 T AH ZH EY; \
saute S AO T EY1; puree P Y UH R EY1; creme K R EH M; brulee B R UW L EY1; passe P AE S EY1; risque R IH S K EY1; \
blase B L AA Z EY1; melee M EY1 L EY; communique K AH M Y UW N AH K EY1; naivete N AA IY V T EY1; mache M AH SH EY1; \
senora S EY N Y AO1 R AH; senorita S EY N Y AO R IY1 T AH; manana M AH N Y AA1 N AH; nino N IY1 N Y OW; garcon G AA R S OW1 N; \
voila V W AA L AA1; uber UW1 B ER; doppelganger D AA1 P AH L G AE NG ER; smorgasbord S M AO1 R G AH S B AO R D; \
acai AA S AA IY1; pokemon P OW1 K EY M AA N; beyonce B IY AA1 N S EY; jose HH OW Z EY1; zoe Z OW1 IY; chloe K L OW1 IY; \
renee R AH N EY1; rené R AH N EY1; andré AA1 N D R EY; bronte B R AA1 N T EY; bjork B Y AO1 R K; citroen S IH1 T R OW AH N; \
fete F EY T; papier P EY1 P ER; vis V IY Z";
