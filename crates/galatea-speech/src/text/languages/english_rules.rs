//! English letters and their phones. The rules were learnt one by one: each new rule was the one that corrected most words
//! of a dictionary that the previous rules read wrong, as long as it corrected a good number of words. Half of the
//! dictionary was kept for testing.

/// Rules in the form `left[letters]right phones`; see `rules.rs`.
pub const RULES: &str = "\
['ll]_ L; ['ve]_ V; ['re]_ R; ['d]_ D; ['m]_ M; [']; \
[ali]c AE L AH; _*[anu] AE N Y AH; #*[arr]*#*_ AA R; [ana]lys AH N AE; (ptkfcsxq)[ar]_ AA R; (ptkfcsxq)[all]e AO L; \
[ale]x AE L AH; (tdsznlr)[as]E EY Z; [an]ic AE N; [a]pe EY; _n[ag] EY G; ll[ar]C ER; [au]E AW; [a]co AH; [an]ia EY N; \
w[at]E AO T; [as]io EY ZH; [abb]r AH B; C[a]sa AA; [ari]_ AA R IY; C[am]ag AE M; t[av] AA V; [aic] EY IH K; [a]ma AH; \
[an]ipu AH N; [aw]_ AO; h[a]si AH; [app]C= AE P; [at]ory AH T; _w[an] AA N; [au]_ AW; [abl]is AE B L; l[arl] ER L; \
_*[am]i AH M; aw[ai] W EY; #*[a]h AH; [a]mo AH; [acc]ur AE K Y; b[ach] AA K; [an]i_ AA N; k[ag] IH JH; _*[al]d AO L; \
[al]e_ EY L; [ak]a AA K; aw[ar] W EH R; _[acc]u AH K; z[ard] ER D; #*[a]tur AH; [aro]_ AA R OW; _*[a]ge EY; _[a]g AH; \
mm[ar] ER; [aum] AW M; _C[ab]CE EY B; [an]im AE N; (tdsznlr)[an]e EY N; un[av] AH V; (bpmfvw)[ar]_ AA R; [at]el AH T; \
[am]en AH M; [ann]ou AH N; [ap]_ AE P; [adj] AH JH; _[all]ow AH L; _[ad]*#*#*_ AH D; i[as] AH S; sm[all] AO L; l[ab]o AE B; \
#*[ad]*#*#*_ AH D; _[any] EH N IY; [ank] AE NG K; #*[ara]CE ER EY; d[an]i AE N Y; l[ab]e EY B; [ai]_ AY; [ac]il AH S; \
_*[a]chi AH; [al]ia EY L; [aa] AA; l[and]_ AH N D; C[all]_ AO L; _[aff] AH F; w[arr] AO R; #*[ac]y AH S; [al]it AE L; \
[alu] AE L Y UW; [an]tia AE N; [a]si EY; [ah]C AA; _*[a]_ AA; [ao] AW; _[arr] ER; [an]a AE N; [ara] EH R AH; [a]nge EY; \
[a]ng AE; [an]o_ AA N; st[ab] EY B; ic[all] L; [ak]e EY K; [a]e; w[ard] ER D; C[av]*#*_ EY V; [aw]a AH; #*[a]g AH; \
_[acc]o AH K; [all]C AO L; [at]iv AH T; _[att] AH T; [al]t AO L; #*[ar]_ ER; [at]or EY T; #*[a]C_ AH; [an]d AE N; \
_[ass] AH S; _[app]*# AH P; #*[ab] AH B; #*[a]l AH; [ar]V EH R; #*[a]n AH; [au] AO; [aw] AO; [air] EH R; [ai] EY; [ay] EY; \
[arr] EH R; w[ar] AO R; [ar] AA R; [all]_ AO L; [alk] AO K; [aste]_ EY S T; w[a]t AA; [a]x AE; [a]tion EY; [a]Ces_ EY; \
[a]Ced_ EY; [a]Cing_ EY; [a]Cer_ EY; [a]CV_ EY; V*[a]_ AH; _[a]CV AH; [a] AE; \
[bou]CV B UW; m[b]s; [be]tw B IH; _[be]n B EH; m[b]_; [b] B; \
(tdsznlr)[ce]l S AH; o[cus] K AH S; [coa]le K OW AH; _C[ca]la K EY; [coe] K OW; [cci]_ CH IY; [co]li K OW; [cu]tiv K Y AH; \
[co]mmo K AA; [cur]V K Y UH R; [con]tex K AA N; [co]rru K ER; ei[ch] K; [con]fid K AA N; [con]tac K AA N; [ced]V S IY D; \
C[chi]t K AH; [ch]or K; i[ci]t S AH; [ch]ara K; [coa] K OW; ar[ch]i K; [c]z; _[co](ptkfcsxq) K AA; [cei] S IY; [cou]n K AW; \
e[ch] K; [co]r K AO; [ced] S T; [co]V K; [co]*#*# K AH; [chr] K R; [ch] CH; [cc]E K S; [cc] K; [cial] SH AH L; \
[cian] SH AH N; [cious] SH AH S; [c]E S; [c] K; \
vi[du] JH AH W; [de]cor D EH; [dul] JH AH L; [des]ti D EH S; [de]com D IY; _[dea]CC D EH; [dec]im D EH S; _[des]i D EH Z; \
V[dg] JH; _[de]*_ D EH; [dt] T; V[d]ua JH; _[di]V D AY; [des]_ D Z; [de](ptkfcsxq) D IH; [d] D; \
pr[ef]*#*_ IY F; #*[en]l AH N; [ep]lay IY P; er[es]C= AH S; d[eri] ER IH; (tdsznlr)[eo]CE IY OW; #*[ef]*# F; \
[eat]io IY EY SH; _C[eon] IY AA N; [ed]it EH D; _[em]a IY M; qu[es] EH S; [e]ven IY; [em]es IY M; [ele]v EH L AH; _*[ey]_ EY; \
C[eur] Y UH R; cc[ent] EH N T; [en]cou IH N; #*[eab] AH B; _[en]u IH N; [el]eg EH L; er[ent]C R AH N T; [ese]t IY S EH; \
_C[e]cu IH; #*[et]_ AH T; [eb]ra AH B; [ere]_ IH R; l[ey] IY; wl[e] IH; g[eor] AO R; _[es]ta IH S; _[ex]it EH G Z; \
#*[e]ng AH; [eac]t IY AE K; #*[eh]V HH; r[ec]i IH S; [el]ec IH L; [el]im IH L; ur[el] R L; #*[err]y EH; r[es]o EH Z; \
r[ec]C EH K; p[er] ER; r[eco]n IY K AH; r[ein]C IY IH N; [el]ati IY L; mm[ent] EH N T; [es]cap IH S; nt[ent]_ EH N T; \
[eir] IH R; _[em]E IH M; [ey]e AY; #*[et]s_ AH T; [ef]ere EH F; [ev]ia IY V; [em]ove IY M; [era]g ER IH; b[eg]V IH G; \
[exh] IH G Z; [e]bu IY; v[ent] EH N T; [ev]al IH V; [emo]n EH M AH; pr[e]*#*#*_ AH; [exe]c EH K S AH; #*[em]a M; \
_[eff]E IH F; r[en]a IY N; [ep]ro IY P; #*[el]in L; [ear]C_ IH; [ex]tr EH K S; (tdsznlr)[eu] UW; t[es] S; #*[ett]_ IH T; \
z[ero] IH R OW; #*[eb] B; [ea]su EH; [en]es N; h[ed]u K EH JH; [ei]gh EY; k[ey] IY; [eco]CC EH K AH; [eri]V IH R IY; \
[eq] IH K; [eau] OW; [en]b AH N; #*[ew]V W; (ptkfcsxq)[ess] EH S; #*[es]C_ AH S; cr[eat] IY EY T; r[e]g EH; k[es]_ S; \
#*[el]s AH L; h[ead] EH D; [ep]CE EH P; #*[err]*#*_ ER; #*[e]g AH; [en]d EH N; [eri]c EH R IH; C[ed]i IY D; [en]s_ AH N; \
[et]e IY T; (tdsznlr)[ew] UW; #*[en]c AH N; #*[en]V AH N; ss[ed] T; p[ed]_ T; _[ex]V IH G Z; h[ed]_ T; #*[en]CC AH N; \
[ei]C AY; k[ed] T; _[e]x IH; #*[er] ER; _C[e]_ IY; _CC[e]_ IY; t[ed]_ IH D; d[ed]_ IH D; V*[ed]_ D; s[es]_ IH Z; z[es]_ IH Z; \
x[es]_ IH Z; ch[es]_ IH Z; sh[es]_ IH Z; c[es]_ IH Z; g[es]_ IH Z; V*[es]_ Z; V*[e]_; V*[e]ly_; V*[e]ment; V*[e]less; \
[eer] IH R; [ee] IY; [ear]C ER; [ear] IH R; [ealth] EH L TH; [ea] IY; [ei] EY; [ew] Y UW; [eu] Y UW; [ey]_ IY; [ey] EY; \
[err] EH R; [er]V EH R; [er] ER; [e]Ce_ IY; V*[el]_ AH L; V*[en]_ AH N; V*[ent]_ AH N T; _r[e]C IH; _d[e]CV IH; _b[e]CV IH; \
[e]o IY; [e] EH; \
[fi]nal F AY; _[fu]l F UH; [fo]c F OW; #*[for]d F ER; [foo]t F UH; [f] F; \
[gen]e_ JH IY N; [gi]n_ G IH; [got]i G OW SH; ar[ge]t G AH; V[ger]s_ JH ER; [gen]eri JH AH N; [gen]e JH EH N; a[ges] JH AH Z; \
l[gor] G ER IH DH; #*[go]n G AH; C[gu]m G Y AH; [g]et G; [gur]V G Y ER; _[gi]C G IH; [ger] G ER; [gg] G; [gh]; [g]E JH; \
[g] G; \
[h]ugh HH Y; [her]_ ER; c[h]; [her]i HH EH; [ho]no AA; [ha]n HH AE; #*[her]E HH IH; [h]V HH; \
(bpmfvw)[ier]*# IH R; (bpmfvw)[il]d AY L; _*[ir]a IH; C[in]or AY N; _C[ita] AY T AH; [ig]o_ IY G; r[iv]a AY V; ll[ia] Y AH; \
#*[ien]_ IY AH N; n[ifi]c IH F IH; ab[it] AH T; r[ime]nta R IH M EH; v[ir]V AY; or[ien] IY EH N; [io]ur Y; [ir]o IH; \
[ide](ptkfcsxq) AY D; [ind]o IH N D; [iar]_ Y ER; [iri] AY R IH; [iom] IY AH M; (ptkfcsxq)[i]ce AH; [itu]ti IH T UW; \
an[iel] AH L; g[in]e AH N; [it]a_ IY T; [it]le AY T; [in]i_ IY N; _[id]C AY D; er[it] R AH T; r[iab] IY AH B; d[ien] IY AH N; \
n[iz]a AH Z; h[in]V AY N; [ipp] IH P; #*[il]_ AH L; l[ion] Y AH N; n[ion] Y AH N; #*[it]ed IH T; or[ith] AH; _C[il]e AY L; \
er[im]E R AH M; rm[in]E AH N; [it]o_ IY T; [ini]te AH N AH; [im]um AH M; C[in]d AY N; #*[i]q IY; _*[ig]r AY G; [ign]C AY N; \
C[is]s IH; #*[im]en AH M; c[ise] AY S; [ic]r AY K; [ies]t IY AH S; f[ier] AY ER; l[ife] AY F; [ice]n AY S AH; C[id]at AH D; \
#*[i]ma AH; [ior] Y ER; C[it]a AH T; _*[ien]t AY AH N; [ib]r AY B; n[ien] Y AH N; [i]u IY; [iab] AY AH B; _*[if]E AY F; \
or[i]t AH; (ptkfcsxq)[ia]C_ AH; #*[it]u AH T; [in]o_ IY N; f[ies] AY Z; C[id]ent AH D; (ptkfcsxq)[ib]E AH B; t[iv]E IH V; \
[ig]C= AY; (ptkfcsxq)[if]ic IH F; t[iv]a AH V; [il]iz AH L; f[ic]i IH SH; r[ity] AH T IY; al[ity] AH T IY; [in]a_ IY N; \
[io]V IY; _*[ic]e AY S; (ptkfcsxq)[ip]*# AH P; C[il]y AH L; [ig]at AH G; l[ies] AY Z; [ire]c ER EH; [ion] AH N; [iew] UW; \
#*[ien]C AH N; _*[i]de AY; f[ied] AY D; #*[im]*#*#*_ AH M; [ic]at AH K; [ib]l AH B; #*[in]a AH N; [if]V AH F; [igh] AY; \
[ier]_ IY ER; [ie] IY; [irr] IH R; [ire] AY ER; [ir] ER; [ism]_ IH Z AH M; V*[ive]_ IH V; [i]x IH; [i]Ce_ AY; [i]Ces_ AY; \
[i]Ced_ AY; [i]Cer_ AY; [i]Cing_ AY; [io] IY OW; [i]a IY; [i]_ IY; [i] IH; \
[j] JH; \
_[kn] N; [k] K; \
_*[les]s L EH; [lon]E L OW N; a[lo]g_ L AO; e[loc] L OW K; te[le] L AH; [log]ic L AA JH; p[ly] L AY; [li]ke L AY; \
[les]s L AH; ng[le] G AH L; V[lo]CE L AH; #*[le]m L AH; C[le]_ AH L; C[les]_ AH L Z; C[led]_ AH L D; [ll] L; [l] L; \
C[min]ate M IH N; [mor]e_ M AO R; V[ma]gi M AE; [mb]ing M; [mcg] M AH G; li[mi] M AH; V[mor] M ER; [ma]te M AH; #*[mo]n M AH; \
[mc] M AH K; [mn]_ M; [m] M; \
[n't]_ AH N T; [n]x NG; (tdsznlr)[net] N EH T; [nch]or NG K; _V[ne]x N IH; [nge]l N JH AH; i[nge]*# NG G ER; [ne]f N AH; \
_[nat]E N EY T; [ngl]i NG G L; [ng]i N JH; _e[nab] N EY B; [ngu]V NG G W; [nes]s N AH; V[nu]V N Y UW; [nge]r NG ER; \
[nc]t NG K; [nge] N JH; [ng]V NG G; [ng] NG; [nk] NG K; [n] N; \
_*[om]_ AA M; _C[ou]g AH; [ony]*# AA N AH; _l[o]g AO; _*[ora]*#*_ AO R AH; [oos]E UW S; [ors]E AO R S; sh[oe] UW; #*[o]ge AH; \
C[or]o ER; #*[om]CC AA M; [o]lm OW; h[on]_ AA N; [ou]_ UW; #*[och] AH K; ph[old] HH OW L D; [omm]an AH M; [op]r OW P; \
t[our] UH R; _h[ome] OW M; n[on]*#*# AA N; [on]ia OW N; C[osh] AA SH; _n[ov] OW V; (bpmfvw)[os]CV AA S; pr[op] AA P; \
gn[os]E OW S; [onc]ep AA N S; [orr]o AA R; [om]ai OW M; pr[on] OW N; [owl]e AA L; [osi]tiv AA Z AH; t[on]*_ AH N; \
_*[og]V OW G; o[or] OW AO R; [o]ny AH; [ois]V OY Z; f[ore] AO R; ic[on] AA N; #*[ous]C AH S; _[occ] AH K; [os]s AO; \
[o]the AH; #*[om]_ AH M; b[od]y AA D; [o]ci OW; o[ok] UH K; [oz]V OW Z; sh[ow] OW; [ote]ct AH T EH; #*[ol]at AH L; \
[oub]C AH B; [oup] UW P; _[own] OW N; [of]V OW F; [oph]V AH F; (tdsznlr)[os]CE AA S; _C[om]i AA M; [ot]io OW SH; [ow]sk AO; \
(tdsznlr)[om]*#*#*_ AH M; [o]le OW; nn[ota] AH T EY; [os]it AH Z; [or]iz ER; hr[on] AH N; _*[om]V OW M; C[og]ra OW G; \
m[ov] UW V; [ori]g ER IH; #*[oc]a AH K; _[ob](ptkfcsxq) AH B; [ol](ptkfcsxq) OW L; [omm] AA M; _*[oe] OW; [ok]V OW K; \
[on]e OW N; [ol]ut AH L; #*[or]a ER; C[ood] UH D; s[on] AH N; [o]h OW; [ob]V OW B; [oc]a OW K; [off] AO F; r[od]*#*# AH D; \
[own] AW N; C[ov]E AH V; [o]s OW; (tdsznlr)[ow] OW; #*[or]s ER; [ot]V OW T; [ov]V OW V; (ptkfcsxq)[om] AH M; c[on] AH N; \
[ough]t AO; [ook] UH K; [oo] UW; [oar] AO R; [oa] OW; [oi] OY; [oy] OY; [ous]_ AH S; [our]_ AW ER; [our] AO R; [ou] AW; \
[ow] AW; [old] OW L D; w[or]C ER; V*[or]_ ER; [or] AO R; V*[on]_ AH N; V*[ol]_ AH L; [o]x AA; [o]_ OW; [o]Ces_ OW; \
[o]Ced_ OW; [o]Cer_ OW; [o]Cing_ OW; [o]CV_ OW; [o]V OW; [o]ng AO; [o] AA; \
_[p](ptkfcsxq); [pur]V P Y UH; [py]t P AY; om[pa]s P AH; r[po]s P AH; [pip] P AY P; [pes] P S; x[per]E P EH; C[pu]*_ P UH; \
[ph] F; [p] P; \
[qua]r K W AO; #*[qu]e K; [q] K; \
_[re]de R IY; [rov]*#*_ R UW V; [rew]o R IY W; [re]gen R IY; _*[rie]s_ R AY; [re]sta R IY; [ri]mar R AY; C[rel]V R IH L; \
[rru] AH; (bpmfvw)[row] R AW; [rob]a R AA B; [rob]er R AA B; [re]pa R IY; [re]gar R IH; [ro]po R AH; [rre]c EH; b[roa] R AO; \
[re]lo R IY; [res]s R EH; _C[ra]CE R EY; C[rea]d R EH; [rie]C R IY; _*[ri]V R AY; ge[r]; _[rea]*#*#*_ R IY AH; [re]str R IY; \
_[rew] R IY; [re]vi R IY; #*[rov] R UW V; o[rre] R AH; [ro]l R OW; _[re]*_ R EH; #*[re]CV R AH; [rh] R; [r] R; \
[si]_ S IY; [sed]E S IY D; i[su]V ZH W; on[si]d S IH; [se]t S EH; C[sul] S AH L; C[sur]e_ SH UH R; [si]z S AY; [seq] S AH K; \
vi[sor] Z ER; [sz] SH; C[sur]V SH UH; i[sab] S EY B; [s]iv S; mi[s] S; ou[s]e S; #*[sa]*#*# S AH; ea[s]o Z; a[sed] S T; \
[sch]ed S; w[sk]i F S K; [ss]u SH; V[se]CV S; C[sed] S T; V[s]ua ZH; V[sur] ZH ER; [s]o S; (bpmfvw)[ser] Z ER; [s]a S; \
[sch] SH; a[s]V S; [ssion] SH AH N; V[sion] ZH AH N; [sion] SH AH N; [sh] SH; [ss] S; V[s]V Z; b[s]_ Z; d[s]_ Z; g[s]_ Z; \
l[s]_ Z; m[s]_ Z; n[s]_ Z; r[s]_ Z; w[s]_ Z; i[s]_ S; V[s]_ Z; [s] S; \
[ta]tis T AH; [tz]V T Z; [tra]vel T R AE; [tes]t_ T AH S; [ti]me T AY; [tho]d TH AH; [tat]ic T AE T; c[tor] T ER; \
s[ten]E AH N; ys[te] T AH; [tes]t T EH S; s[ta]CE T EY; [t]iat SH; [tz] T S; [tu]V CH UW; [tur]V CH ER; [tch] CH; \
s[tion] CH AH N; [tion] SH AH N; [tial] SH AH L; [tious] SH AH S; [ther] DH ER; [th] TH; [t] T; \
eq[ua]C= W AH; h[u]CV UW; _[u]ne AH; [ugh] UW; (bpmfvw)[u]V; [un]us AH N Y; co[ur]C AO; [uph] AH P; _[ur]V Y ER; \
s[ugg] AH JH; _C[ur]V UH; tr[un] AH NG; C[up]l UW P; [ut]or Y AH T; (bpmfvw)[ush] UH SH; [un]in AH N; (tdsznlr)[ui]t UW; \
g[u]V; q[ua]C W AA; [un]a AH N; (tdsznlr)[u]V UW; [ul]a Y AH L; q[u] W; [ui] UW; [ue]_ UW; [urr] ER; [ur] ER; p[u]ll UH; \
b[u]ll UH; V*[us]_ AH S; r[u]CV UW; l[u]CV UW; j[u]CV UW; s[u]CV UW; t[u]CV UW; d[u]CV UW; n[u]CV UW; [u]CV Y UW; [u]_ UW; \
[u] AH; \
[va]ca V EY; [vi]sor V AY; [vio] V AY AH; d[va] V AE; C[ven]V V IY N; [v]iew V Y; [v] V; \
_C[wa]C W AA; _[wo]n W AH; [w]V W; [wh] W; \
u[x]_; [xi]st G Z IH; [xed] K S T; _[x] Z; [x] K S; \
d[yn] AY N; (tdsznlr)[ys] IH S; [y]c AY; _C[y]p AY; [y]C_ IH; [yn]c IH NG; [y]C= AY; _[y]V Y; _C[y]_ AY; _CC[y]_ AY; \
f[y]_ AY; [y]_ IY; [y]V AY; [y] IH; \
c[z] CH; [z] Z; \
";
