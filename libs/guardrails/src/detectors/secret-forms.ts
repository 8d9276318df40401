/** Well-known forms of secrets: a prefix, and what follows it. Each expression is tried at its prefix only, and repeats single characters only. */
export const SECRET_FORMS: readonly (readonly [prefix: string, form: RegExp])[] = [
  // Amazon
  ['AKIA', /AKIA[A-Z0-9]{16}(?![A-Za-z0-9])/y],
  ['ASIA', /ASIA[A-Z0-9]{16}(?![A-Za-z0-9])/y],
  ['ABSK', /ABSK[A-Za-z0-9+/=]{40,400}/y],
  // Google
  ['AIza', /AIza[\w-]{35}(?![\w-])/y],
  ['GOCSPX-', /GOCSPX-[\w-]{24,40}/y],
  ['ya29.', /ya29\.[\w.-]{20,1000}/y],
  // GitHub, GitLab, Atlassian
  ['ghp_', /ghp_[A-Za-z0-9]{36,255}/y],
  ['gho_', /gho_[A-Za-z0-9]{36,255}/y],
  ['ghu_', /ghu_[A-Za-z0-9]{36,255}/y],
  ['ghs_', /ghs_[A-Za-z0-9]{36,255}/y],
  ['ghr_', /ghr_[A-Za-z0-9]{36,255}/y],
  ['github_pat_', /github_pat_\w{40,255}/y],
  ['glpat-', /glpat-[\w.-]{20,300}/y],
  ['glrt-', /glrt-[\w.-]{20,300}/y],
  ['ATATT3', /ATATT3[\w=-]{60,400}/y],
  // Models
  ['sk-', /sk-(?=[\w-]{0,80}\d)[\w-]{20,300}/y],
  ['hf_', /hf_[A-Za-z]{30,40}(?!\w)/y],
  ['gsk_', /gsk_[A-Za-z0-9]{40,80}/y],
  ['xai-', /xai-[A-Za-z0-9]{40,100}/y],
  ['r8_', /r8_[A-Za-z0-9]{37}(?!\w)/y],
  // Payments
  ['sk_live_', /sk_live_[A-Za-z0-9]{16,250}/y],
  ['sk_test_', /sk_test_[A-Za-z0-9]{16,250}/y],
  ['rk_live_', /rk_live_[A-Za-z0-9]{16,250}/y],
  ['rk_test_', /rk_test_[A-Za-z0-9]{16,250}/y],
  ['whsec_', /whsec_[A-Za-z0-9+/=]{24,100}/y],
  ['shpat_', /shpat_[a-fA-F0-9]{32}(?!\w)/y],
  ['shpss_', /shpss_[a-fA-F0-9]{32}(?!\w)/y],
  // Messages
  ['xoxb-', /xoxb-[A-Za-z0-9-]{20,250}/y],
  ['xoxp-', /xoxp-[A-Za-z0-9-]{20,250}/y],
  ['xoxa-', /xoxa-[A-Za-z0-9-]{20,250}/y],
  ['xoxs-', /xoxs-[A-Za-z0-9-]{20,250}/y],
  ['xapp-', /xapp-[A-Za-z0-9-]{20,250}/y],
  ['SG.', /SG\.[\w-]{16,32}\.[\w-]{32,64}/y],
  ['key-', /key-[a-f0-9]{32}(?!\w)/y],
  // Packages and platforms
  ['npm_', /npm_[A-Za-z0-9]{36}(?!\w)/y],
  ['pypi-', /pypi-AgE[\w-]{50,250}/y],
  ['dckr_pat_', /dckr_pat_[\w-]{20,60}/y],
  ['dapi', /dapi[a-f0-9]{32}(?:-\d)?(?!\w)/y],
  ['dop_v1_', /dop_v1_[a-f0-9]{64}(?!\w)/y],
  ['hvs.', /hvs\.[\w-]{24,250}/y],
  ['lin_api_', /lin_api_[A-Za-z0-9]{32,64}/y],
  ['glsa_', /glsa_[A-Za-z0-9]{32}_[a-fA-F0-9]{8}(?!\w)/y],
  ['PMAK-', /PMAK-[a-f0-9]{24}-[a-f0-9]{34}(?!\w)/y],
];

/** Code units of the longest match of a form. */
export const LONGEST_FORM = 1_010;

/** Words before a secret that is assigned, such as `password: ` or `"api_key": "`. */
export const ASSIGNED =
  /(?:passw(?:or)?d|passwd|pwd|passphrase|passwort|kennwort|secret|token|api[_ -]?key|access[_-]?key|account[_-]?key|private[_-]?key|client[_-]?secret|credentials?)["']?[ \t]{0,2}(?::|=|:=|=>|is)[ \t]{0,2}["'`]?$/i;
/** Text that stands for a secret. */
export const STAND_IN =
  /^(?:\$|<|\{|%|\*|x{3}|your|example|changeme|redacted|placeholder|process\.env|os\.environ|null|undefined|true|false|none|string)/i;
