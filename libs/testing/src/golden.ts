import { readdirSync, readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';

/** One stream as written by a release, with the resulting state and public events. */
export interface GoldenStream {
  readonly stream: string;
  readonly events: readonly { readonly schema: number; readonly event: { readonly type: string } }[];
  readonly state: unknown;
  readonly says: readonly { readonly type: string; readonly data: unknown }[];
}

export interface GoldenCase extends GoldenStream {
  readonly release: string;
}

export interface Reader {
  /** Upgrades events to the current schema and folds them with the decider of their stream. */
  state(stream: string, events: GoldenStream['events']): unknown;
  says(stream: string, events: GoldenStream['events']): GoldenStream['says'];
  /** The shape of the snapshots of a stream; null without snapshots. */
  shape(stream: string): string | null;
  /** The reason why a public event's data do not match its schema, or null. */
  objection(type: string, data: unknown): string | null;
}

/** The streams of every release with a golden file in the folder, such as `0.1.0.json`. Files are added, never changed. */
export function goldenCases(folder: URL): readonly GoldenCase[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .sort()
    .flatMap((name) => {
      const streams = JSON.parse(readFileSync(new URL(name, folder), 'utf8')) as readonly GoldenStream[];
      return streams.map((stream) => ({ ...stream, release: name.replace(/\.json$/, '') }));
    });
}

/** The differences between the current program's result for a stream and the recorded one; empty if there are none. */
export function differences(golden: GoldenCase, reader: Reader): readonly string[] {
  const state = reader.state(golden.stream, golden.events);
  const says = reader.says(golden.stream, golden.events);
  return [
    ...(same(state, golden.state) ? [] : [`state: ${JSON.stringify(state)}`]),
    ...(same(says, golden.says) ? [] : [`says: ${JSON.stringify(says)}`]),
    ...says.flatMap(({ type, data }) => reader.objection(type, data) ?? []),
  ];
}

/** Compares values as JSON, because readers get both as JSON. */
const same = (one: unknown, other: unknown) => isDeepStrictEqual(JSON.parse(JSON.stringify(one)), other);

/**
 * The fields of the states of all streams, by the shape of their snapshots. A service records them: other fields with the same shape mean that
 * the service would continue from snapshots which lack a field.
 */
export function snapshotFields(cases: readonly GoldenCase[], reader: Reader): Readonly<Record<string, readonly string[]>> {
  const fields: Record<string, Set<string>> = {};
  for (const { stream, events } of cases) {
    const shape = reader.shape(stream);
    if (shape !== null) addFields((fields[shape] ??= new Set()), reader.state(stream, events), '');
  }
  return Object.fromEntries(Object.entries(fields).map(([shape, paths]) => [shape, [...paths].sort()]));
}

/** Keys that are IDs, addresses or the like are all the same field. */
const NAME_OF_FIELD = /^[a-z][A-Za-z_]*$/;

function addFields(fields: Set<string>, value: unknown, path: string): void {
  if (typeof value !== 'object' || value === null) return;
  for (const [key, inner] of Object.entries(value)) {
    const name = Array.isArray(value) ? '[]' : NAME_OF_FIELD.test(key) ? key : '*';
    const at = path === '' ? name : `${path}.${name}`;
    fields.add(at);
    addFields(fields, inner, at);
  }
}
