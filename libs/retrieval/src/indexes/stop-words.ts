// Also runs uncompiled in threads: only erasable types.

/**
 * By language, words that say nothing about a subject, and words that turn a query into a question. In a small index they are rare, so they would
 * decide which chunk is found. Words that are common but meaningful are not among them, such as `die` in English, and `than`, `from` and `into`,
 * which say how two subjects are related (together .005 nDCG@10 on SciFact).
 */
export const STOP_WORDS: Readonly<Record<string, ReadonlySet<string>>> = {
  en: words(
    'a an and are as at be been but by can could did do does for had has have how i if in is it its may me might must my of on or our shall should so some such that the their them then there these they this to was we were what when where which who whom whose why will with would you your am',
  ),
  de: words(
    'aber als am an auch auf aus bei bin bis bist da das dass dem den der des die doch du durch ein eine einem einen einer eines er es für hat habe haben hatte ich ihr im in ist ja kann können man mein mit nach nicht noch nur ob oder sein sich sie sind so über um und uns unter vom von vor war waren was wann warum welche welcher welches wenn wer werden wie wir wird wo zu zum zur',
  ),
  fr: words(
    'à au aux avec ce ces cette comment comme dans de des dont du elle elles en est et être eu il ils je la le les leur lui mais me même mes moi mon ne nos notre nous on ou où par pas peut pour pourquoi qu quand que quel quelle quelles quels qui quoi sa sans se ses si son sont sur ta te tes ton tu un une vos votre vous y',
  ),
  es: words(
    'a al ante como cómo con cuál cuáles cuándo cuánto de del desde donde dónde e el ella ellas ellos en entre era es esta está están este esto hay la las le les lo los mas me mi mis muy no nos o para pero por porque puede que qué quién se ser si sin sobre son su sus también te tu un una unas uno unos y ya yo',
  ),
  it: words(
    'a ad agli ai al alla alle anche che chi ci come con cosa da dagli dai dal dalla degli dei del della delle di dove e è ed gli ha hanno ho i il in io la le lei lo loro lui ma mi nei nel nella non o per perché più può quale quali quando quanto se si sono su sua suo tra tu un una uno',
  ),
  pt: words(
    'a ao aos as às até com como da das de do dos e é ela elas ele eles em entre era está eu foi há isso isto já mais mas me meu não na nas no nos o onde os ou para pela pelo por porque pode qual quais quando que quem se sem ser seu sua são também te tem um uma você',
  ),
  nl: words(
    'aan al als bij dan dat de deze die dit door een en er heeft het hoe hun ik in is je kan kunnen maar met mijn naar niet nog of om ook op over te tot uit van voor waar waarom wanneer was wat we wel welke werd wie wij worden zal ze zich zijn zo zou',
  ),
};

function words(text: string): ReadonlySet<string> {
  return new Set(text.split(' '));
}

/** The words without the stop words of their language, which is the language with most stop words in the query. All words if there are no others. */
export function withoutStopWords(query: readonly string[]): readonly string[] {
  let best: readonly string[] = query;
  for (const stops of Object.values(STOP_WORDS)) {
    const others = query.filter((word) => !stops.has(word));
    if (others.length < best.length) best = others;
  }
  return best.length === 0 ? query : best;
}
