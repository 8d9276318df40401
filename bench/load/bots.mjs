// Generates bots, and searches for them. All texts depend only on numbers, so that two processes generate the same ones.

const WORDS = 20_000;
/** Flattens the beginning of the Zipf distribution, as in natural text. */
const ZIPF_SHIFT = 2.7;
const ONSETS = [
  'b',
  'br',
  'c',
  'ch',
  'd',
  'f',
  'g',
  'gr',
  'h',
  'j',
  'k',
  'l',
  'm',
  'n',
  'p',
  'pl',
  'r',
  's',
  'st',
  't',
  'tr',
  'v',
  'w',
  'z',
];
const VOWELS = ['a', 'e', 'i', 'o', 'u', 'ai', 'ea', 'ou'];
const CODAS = ['', '', 'l', 'm', 'n', 'r', 'rd', 's', 't'];
const ENDINGS = ['', '', '', 's', 'ing', 'ed', 'er', 'ly'];

/** Returns a generator of numbers from 0 to 1 (mulberry32). */
function random(seed) {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const draw = (next, list) => list[Math.floor(next() * list.length)];
const between = (next, least, most) => least + Math.floor(next() * (most - least + 1));

const words = vocabulary();
const cumulated = zipf();

function vocabulary() {
  const next = random(1);
  const found = new Set();
  while (found.size < WORDS) {
    const syllables = Array.from({ length: between(next, 1, 3) }, () => draw(next, ONSETS) + draw(next, VOWELS) + draw(next, CODAS));
    found.add(syllables.join('') + draw(next, ENDINGS));
  }
  return [...found];
}

function zipf() {
  let sum = 0;
  const sums = Float64Array.from(words, (_, rank) => (sum += 1 / (rank + ZIPF_SHIFT)));
  return sums.map((each) => each / sum);
}

function word(next) {
  const wanted = next();
  let [low, high] = [0, WORDS - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (cumulated[middle] < wanted) low = middle + 1;
    else high = middle;
  }
  return words[low];
}

const several = (next, least, most) => Array.from({ length: between(next, least, most) }, () => word(next));

/** The texts of the bot with this number. */
export function textsOf(number) {
  const next = random(number + 1_000_000);
  return {
    title: several(next, 2, 5).join(' ').slice(0, 100),
    description: several(next, 10, 40).join(' ').slice(0, 1_000),
    instruction: several(next, 30, 60).join(' '),
    quickStarters: '',
  };
}

/** A tenth of the bots is shared with all users, four tenths with users other than the searching one, and half is private. */
export function scopeOf(number) {
  const tenth = number % 10;
  return tenth === 0 ? 'all' : tenth <= 4 ? 'partial' : 'private';
}

/** Queries of one to three mostly frequent words: unchanged, with a typo, with an incomplete last word, or two words of a title in quotes. */
export function queries(count, bots) {
  const next = random(7);
  return Array.from({ length: count }, () => {
    const kind = next();
    if (kind < 0.15) return phraseOf(between(next, 0, bots - 1));
    const terms = several(next, 1, 3);
    if (kind < 0.3) terms.push(misspelt(next, terms.pop()));
    else if (kind < 0.45) terms.push(beginning(next, terms.pop()));
    return terms.join(' ');
  });
}

/** The first two words of a bot's title, in quotes. */
export const phraseOf = (number) => `"${textsOf(number).title.split(' ').slice(0, 2).join(' ')}"`;

const misspelt = (next, text) => {
  const at = between(next, 1, text.length - 1);
  return `${text.slice(0, at)}x${text.slice(at + 1)}`;
};
const beginning = (next, text) => text.slice(0, between(next, Math.min(2, text.length), text.length));
