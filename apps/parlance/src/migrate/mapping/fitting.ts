import { isDeepStrictEqual } from 'node:util';
import type { BotFault } from '@parlance/bots';
import { isMap } from '../source/dynamo-item.ts';
import { LeftOut, type Note } from './note.ts';

type Body = Readonly<Record<string, unknown>>;
export type FaultsOf = (body: Body) => readonly BotFault[];

/** Required fields of a bot. */
const REQUIRED = new Set(['', 'id', 'title']);

/** The body without the parts that the installation does not accept. Adds a note for each removed part. Throws `LeftOut`. */
export function fitted(body: Body, faultsOf: FaultsOf, notes: Note[]): Body {
  let fitting = body;
  for (;;) {
    const [fault] = faultsOf(fitting);
    if (!fault) return fitting;
    const { path, message } = fault;
    if (REQUIRED.has(path)) throw new LeftOut(`${path || 'bot'}_invalid`, message);
    const names = path.split(/[.[\]]+/).filter((name) => name !== '');
    const reduced = without(fitting, names, { fault, faultsOf, notes, whole: fitting }) as Body;
    // Nothing was removed: the body lacks a part.
    if (isDeepStrictEqual(reduced, fitting)) throw new LeftOut('bot_not_accepted', `${path} ${message}`);
    fitting = reduced;
  }
}

interface Repair {
  readonly fault: BotFault;
  readonly faultsOf: FaultsOf;
  readonly notes: Note[];
  readonly whole: Body;
}

function without(value: unknown, [name = '', ...rest]: readonly string[], repair: Repair): unknown {
  if (Array.isArray(value)) {
    const index = Number(name);
    // An element is meaningless without one of its parts.
    repair.notes.push(noteOf(repair.fault, value[index]));
    return value.toSpliced(index, 1);
  }
  const { [name]: inner, ...others } = value as Body;
  if (rest.length > 0 && (isMap(inner) || Array.isArray(inner))) return { ...others, [name]: without(inner, rest, repair) };
  if (!Array.isArray(inner)) {
    repair.notes.push(noteOf(repair.fault, inner));
    return others;
  }
  return { ...others, [name]: elements(inner, repair) };
}

/** The valid elements of a list, each checked alone. Leaves out the last element if the list is too long. */
function elements(list: readonly unknown[], repair: Repair): readonly unknown[] {
  const { fault, faultsOf, whole, notes } = repair;
  const path = fault.path.split('.');
  const isGood = (element: unknown) => !faultsOf(replaced(whole, path, [element])).some((each) => each.path === fault.path);
  const accepted = list.filter((element) => isGood(element) || void notes.push(noteOf(fault, element)));
  if (accepted.length < list.length) return accepted;
  notes.push(noteOf(fault, list.at(-1)));
  return list.slice(0, -1);
}

const replaced = (body: Body, [name = '', ...rest]: readonly string[], value: unknown): Body => {
  return { ...body, [name]: rest.length === 0 ? value : replaced(body[name] as Body, rest, value) };
};

const LONGEST_DETAIL = 500;

function noteOf({ path, message }: BotFault, value: unknown): Note {
  const field = path.replaceAll(/\[\d+\]|\.\d+(?=\.|$)/g, '');
  return { reason: `${field}_not_taken`, detail: `${JSON.stringify(value)?.slice(0, LONGEST_DETAIL)}: ${message}` };
}
