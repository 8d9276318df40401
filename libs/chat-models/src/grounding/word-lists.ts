/** Words that link other words and carry no meaning of their own. Short words of any language count little anyway. */
export const LINKING_WORDS: ReadonlySet<string> = new Set(
  (
    'a an and are as at be been but by can do does did for from had has have how i if in is it its of on or our per so than that the their them then ' +
    'there these they this those to was we were what when where which who why will with you your about also according additionally after ' +
    'answer based because before document documents furthermore however information into mentioned must provided said says should source ' +
    'sources stated states such text texts therefore thus would could may might shall please sure yes ' +
    'der die das den dem des ein eine einen einem einer und oder ist sind war mit fur von zu im auf wird werden dass wie wann was wer wo ' +
    'laut dokument ' +
    'le la les un une des du de et ou est sont avec pour dans sur que qui quel quelle comment quand selon ' +
    'el los las una unos y o es son con para en por que como cuando donde segun del al ' +
    'il lo gli e di che con per nel della del come quando dove secondo'
  ).split(' '),
);

/** `one` is left out, because it is usually not a number. */
export const NUMBER_WORDS: ReadonlyMap<string, string> = new Map([
  ...'two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty'
    .split(' ')
    .map((word, index) => [word, String(index + 2)] as const),
  ...'zwei drei vier funf sechs sieben acht neun zehn elf zwolf'.split(' ').map((word, index) => [word, String(index + 2)] as const),
  ...'thirty forty fifty sixty seventy eighty ninety'.split(' ').map((word, index) => [word, String(index * 10 + 30)] as const),
]);

const NEGATIONS: ReadonlySet<string> = new Set(
  (
    'not no never none nor without cannot nothing neither nowhere ' +
    'nicht kein keine keinen keinem keiner keines nie niemals ohne nichts weder ' +
    'pas jamais aucun aucune sans rien ' +
    'nunca sin ningun ninguna ninguno nada jamas ' +
    'non mai senza nessun nessuno nessuna nulla niente ' +
    'nao sem nenhum nenhuma niet geen nooit zonder ikke inte aldrig ingen utan uten nie не нет никогда без'
  ).split(' '),
);
const CONTRACTED = /n['’]t(?!\p{L})/iu;
/** Negations in Chinese and Japanese. */
const SIGNS = /[不没沒無无]|ない|ません/u;
const WORDS = /\p{L}[\p{L}\p{M}]*/gu;
const MARKS = /\p{M}+/gu;

/** The text after a negation. Null without one. */
export function negatedPart(text: string): string | null {
  const sign = CONTRACTED.exec(text) ?? SIGNS.exec(text);
  if (sign) return text.slice(sign.index + sign[0].length);
  for (const { 0: word, index } of text.matchAll(WORDS))
    if (NEGATIONS.has(word.normalize('NFD').replace(MARKS, '').toLowerCase())) return text.slice(index + word.length);
  return null;
}
