import { ALPHANUMERIC, codeSet, firstOf, isWord, runEnd } from '../characters.ts';
import { type Detector, NONE, UNDECIDED } from '../detector.ts';

const LONGEST_LOCAL = 64;
const LONGEST_DOMAIN = 253;

const isLocal = codeSet(`${ALPHANUMERIC}_.+-%'`, { others: true });
const isJoint = codeSet(".+-%'");
const isDomain = codeSet(`${ALPHANUMERIC}.-`, { others: true });
const LABEL = /^(?!-)[^.]{1,63}(?<!-)$/;
const TOP_LEVEL = /^(?:[a-z\u00c0-\ud7ff]{2,24}|xn--[a-z0-9-]{2,59})$/i;
/** Endings of file names such as `logo@2x.png`. */
const FILE = /^(?:png|jpe?g|gif|svg|webp|avif|ico|css|js|mjs|ts|tsx|json|ya?ml|md|txt|pdf|html?|xml|zip)$/i;
/** The beginning of an address with a user name, such as `https://` or `https://user:`. */
const IN_ADDRESS = /\/\/[^\s/]*$/;

/** E-mail addresses, also with letters outside of ASCII. Quoted local parts and addresses without a dot in the domain are not found. */
export const email: Detector = {
  kind: 'email',
  reach: LONGEST_LOCAL + LONGEST_DOMAIN + 2,

  next(text, from) {
    let at = from;
    for (;;) {
      at = firstOf(text, at, isWord, isWord);
      if (at >= text.length || !isInLocal(text, at)) return at;
      at += 1;
    }
  },

  match(text, at, isEnd) {
    const local = runEnd(text, at, isLocal, LONGEST_LOCAL + 1);
    if (local - at > LONGEST_LOCAL) return NONE;
    if (local === text.length) return isEnd ? NONE : UNDECIDED;
    if (text[local] !== '@' || isJoint(text.charCodeAt(local - 1)) || text.slice(at, local).includes('..')) return NONE;
    const domain = local + 1;
    const end = runEnd(text, domain, isDomain, LONGEST_DOMAIN + 1);
    if (end === text.length && end - domain <= LONGEST_DOMAIN && !isEnd) return UNDECIDED;
    const length = domainLength(text.slice(domain, end));
    if (length === 0) return NONE;
    const isRemote = text.slice(at, local) === 'git' && (text[end] === ':' || text[end] === '/');
    return isRemote || IN_ADDRESS.test(text.slice(Math.max(0, at - 64), at)) ? NONE : domain + length;
  },
};

/** Whether the position continues a local part, as after the apostrophe of `o'brien`. */
const isInLocal = (text: string, at: number): boolean => isJoint(text.charCodeAt(at - 1)) && isWord(text.charCodeAt(at - 2));

/** The length of the longest valid domain at the beginning of the text. */
function domainLength(text: string): number {
  const labels = text.split('.');
  const invalid = labels.findIndex((label) => !LABEL.test(label));
  for (let count = invalid < 0 ? labels.length : invalid; count >= 2; count--) {
    const last = labels[count - 1]!;
    if (!TOP_LEVEL.test(last) || FILE.test(last)) continue;
    return labels.slice(0, count).join('.').length;
  }
  return 0;
}
