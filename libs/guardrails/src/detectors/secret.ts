import { ALPHANUMERIC, codeSet, firstOf, isAlphanumeric, isDigit, isLower, isUpper, runEnd } from '../characters.ts';
import { type Detector, NONE, UNDECIDED, work } from '../detector.ts';
import { ASSIGNED, LONGEST_FORM, SECRET_FORMS, STAND_IN } from './secret-forms.ts';

/** Longer secrets, such as keys in PEM and some JSON Web Tokens, are cut into several values. */
const LONGEST = 4_096;
const LONGEST_ASSIGNED = 256;
const LONGEST_CREDENTIALS = 256;
/** Characters of a token that is a secret by its randomness alone, and its least entropy in bits for each character. */
const RANDOM_LENGTH = 32;
const RANDOM_BITS = 4;
const ASSIGNED_LENGTH = 8;
const ASSIGNED_BITS = 2.5;

const isToken = codeSet(`${ALPHANUMERIC}+/_.-`);
const isForm = codeSet(`${ALPHANUMERIC}+/=_.-`);
const isPadding = codeSet('=');
const MOST_PADDING = 2;
const isBegin = codeSet(`${ALPHANUMERIC}-!#$%&(*^@~`);
const isPem = codeSet(`${ALPHANUMERIC}+/=:,- \n\r\t\\`);
const isContinued = codeSet(`${ALPHANUMERIC}+/=_.-\n\r`);
const isAssigned = codeSet(`${ALPHANUMERIC}!#$%&()*+-./:=?@[]^_{|}~`);
const isCredential = codeSet(`${ALPHANUMERIC}!#$%&()*+,-.:;=?[]^_{|}~`);

const PEM_BEGIN = '-----BEGIN ';
const PEM = /^-----BEGIN (?:[A-Z0-9]{1,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----/;
const PEM_END = /-----END (?:[A-Z0-9]{1,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----/;
const JWT = /^eyJ[\w-]{8,4096}\.[\w-]{8,4096}(?:\.[\w-]{0,4096})?/;
const BY_FIRST = Map.groupBy(SECRET_FORMS, ([prefix]) => prefix[0]);

/** Secrets and keys: well-known forms, private keys, JSON Web Tokens, credentials in URLs, values assigned to names such as `password`, and random tokens. */
export const secret: Detector = {
  kind: 'secret',
  reach: LONGEST + 1,
  continues: isContinued,

  next: (text, from) => firstOf(text, from, isBegin, isAlphanumeric),

  match(text, at, isEnd) {
    const kinds = [known, pem, credentials, assigned, token];
    let longest = NONE;
    for (const kind of kinds) {
      const end = kind(text, at, isEnd);
      if (end === UNDECIDED) return UNDECIDED;
      longest = Math.max(longest, end);
    }
    return longest;
  },
};

function known(text: string, at: number, isEnd: boolean): number {
  for (const [prefix, form] of BY_FIRST.get(text[at]) ?? []) {
    const isBegun = text.startsWith(prefix, at);
    if (!isBegun && (isEnd || text.length - at >= prefix.length || !prefix.startsWith(text.slice(at)))) continue;
    if (!isEnd && text.length - at <= LONGEST_FORM && runEnd(text, at, isForm, LONGEST_FORM) === text.length) return UNDECIDED;
    form.lastIndex = at;
    if (form.test(text)) return form.lastIndex;
  }
  return NONE;
}

function pem(text: string, at: number, isEnd: boolean): number {
  if (text[at] !== '-') return NONE;
  const head = text.slice(at, at + 80);
  if (!head.startsWith(PEM_BEGIN)) return PEM_BEGIN.startsWith(head) && !isEnd ? UNDECIDED : NONE;
  if (!PEM.test(head)) return head.length < 80 && !isEnd && !/\n/.test(head) ? UNDECIDED : NONE;
  const run = runEnd(text, at, isPem, LONGEST);
  const [found] = PEM_END.exec(text.slice(at, run)) ?? [];
  if (found !== undefined) return text.indexOf(found, at) + found.length;
  return run === text.length && run - at < LONGEST && !isEnd ? UNDECIDED : run;
}

/** `user:password` in an address, without the address. */
function credentials(text: string, at: number, isEnd: boolean): number {
  if (!text.startsWith('://', at - 3)) return NONE;
  const end = runEnd(text, at, isCredential, LONGEST_CREDENTIALS);
  if (end === text.length && end - at < LONGEST_CREDENTIALS && !isEnd) return UNDECIDED;
  return text[end] === '@' && /^[^:]{0,64}:[^$<{]/.test(text.slice(at, end)) ? end : NONE;
}

function assigned(text: string, at: number, isEnd: boolean): number {
  const before = text.slice(Math.max(0, at - 40), at);
  if (!/(?:[:=>]|\bis)[ \t]{0,2}["'`]?$/.test(before.slice(-6))) return NONE;
  work.read += 40;
  if (!ASSIGNED.test(before)) return NONE;
  const end = runEnd(text, at, isAssigned, LONGEST_ASSIGNED);
  if (end === text.length && end - at < LONGEST_ASSIGNED && !isEnd) return UNDECIDED;
  const value = text
    .slice(at, end)
    .replace(/&\w{1,40}=.*$/, '')
    .replace(/[.)\]}]{1,4}$/, '');
  const isMixed = /[A-Za-z]/.test(value) && /[^A-Za-z]/.test(value);
  return isMixed && value.length >= ASSIGNED_LENGTH && !STAND_IN.test(value) && entropy(value) >= ASSIGNED_BITS ? at + value.length : NONE;
}

function token(text: string, at: number, isEnd: boolean): number {
  if (!isAlphanumeric(text.charCodeAt(at)) || /[+/_.-]/.test(text[at - 1] ?? '')) return NONE;
  const body = runEnd(text, at, isToken, LONGEST);
  const end = runEnd(text, body, isPadding, Math.min(MOST_PADDING, at + LONGEST - body));
  if (end === text.length && end - at < LONGEST && !isEnd) return UNDECIDED;
  if (end - at < RANDOM_LENGTH) return NONE;
  const value = text.slice(at, end);
  const jwt = JWT.exec(value);
  if (jwt) return at + jwt[0].length;
  // Inline images and hashes of files are no secrets.
  if (text.slice(Math.max(0, at - 8), at) === ';base64,' || end - at > 1_024 || /^sha(?:256|384|512)-/.test(value)) return NONE;
  const whole = value.replace(/\.+$/, '');
  return isRandom(whole) ? at + whole.length : NONE;
}

/** Capital and small letters and digits without an order. Paths, names and hashes in hexadecimal are not random. */
function isRandom(value: string): boolean {
  const parts = value.split(/[/_.=-]/);
  const longest = parts.reduce((best, part) => (part.length > best.length ? part : best), '');
  if (value.length < RANDOM_LENGTH || longest.length < 20) return false;
  const count = (set: (code: number) => boolean): number => Array.from(longest).filter((each) => set(each.charCodeAt(0))).length;
  return count(isDigit) >= 2 && count(isUpper) >= 3 && count(isLower) >= 3 && entropy(value) >= RANDOM_BITS && !isNamed(longest);
}

/** Words in camel case have long runs of small letters. */
const isNamed = (value: string): boolean => /[a-z]{7}/.test(value) && !/\d[A-Za-z]{1,3}\d/.test(value);

/** Shannon's entropy in bits for each character. */
function entropy(value: string): number {
  const counts = new Map<string, number>();
  for (const character of value) counts.set(character, (counts.get(character) ?? 0) + 1);
  work.read += value.length;
  return [...counts.values()].reduce((bits, count) => bits - (count / value.length) * Math.log2(count / value.length), 0);
}
