import { isIPv4, isIPv6 } from 'node:net';
import { ALPHANUMERIC, codeSet, DIGITS, firstOf, runEnd } from '../characters.ts';
import { type Detector, NONE, UNDECIDED } from '../detector.ts';

const LONGEST = 45;
/** Further characters that show that a run is not an address. */
const SPARE = 3;

const isAddress = codeSet(`${DIGITS}abcdefABCDEF.:`);
const isBegin = codeSet(`${DIGITS}abcdefABCDEF:`);
const isPart = codeSet(`${ALPHANUMERIC}_.:-`, { others: true });
const VERSION_BEFORE = /\b(?:version|release|v|ver\.|build)[ \t]{1,2}$/i;
const PORT = /^(\d{1,3}(?:\.\d{1,3}){3}):\d{1,5}$/;

/** IPv4 addresses with or without a port, and IPv6 addresses. Numbers of versions look like addresses unless a word before them says so. */
export const ipAddress: Detector = {
  kind: 'ip_address',
  reach: LONGEST + SPARE + 1,

  next: (text, from) => firstOf(text, from, isBegin, isPart),

  match(text, at, isEnd) {
    const run = runEnd(text, at, isAddress, LONGEST + SPARE);
    if (run - at >= LONGEST + SPARE) return NONE;
    if (run === text.length && !isEnd) return UNDECIDED;
    const found = text.slice(at, run).replace(/[.:]$/, (mark, index: number, whole: string) => (whole[index - 1] === ':' ? mark : ''));
    const after = text.charCodeAt(run);
    if (isPart(after) && found.length === run - at) return NONE;
    const [, host = found] = PORT.exec(found) ?? [];
    if (isIPv4(host)) return VERSION_BEFORE.test(text.slice(Math.max(0, at - 16), at)) ? NONE : at + host.length;
    return isIPv6(found) && hasEnough(found) ? at + found.length : NONE;
  },
};

/** `a::b` and `::` are more often code than addresses. */
const hasEnough = (found: string): boolean => found.length > 2 && (/\d/.test(found) || found.split(':').filter(Boolean).length >= 3);
