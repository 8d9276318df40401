import { isUtf8 } from 'node:buffer';
import { JsonReader, type JsonVisitor } from '@parlance/http';
import { SLICE_MS, turns } from '@parlance/event-loop';
import { bothWays } from './casing.ts';
import { LEAF, type Shape } from '../routing/schema-shapes.ts';

/**
 * The bytes of a JSON text with the declared names in snake_case: the same as parsing it, applying `toSnakeCase` and serializing it, but in
 * slices, and all bytes except the names stay unchanged. A text that is not JSON, or exceeds its limits, is left alone: the service refuses
 * it. Rejects with the refusal `malformed_body` (invalid) for an object that has a name both ways.
 */
export async function namesInSnakeCase(bytes: Buffer, shape: Shape): Promise<Buffer> {
  if (!isUtf8(bytes)) return bytes;
  const renaming = new Renaming(shape);
  const reader = new JsonReader(bytes, renaming);
  try {
    while (!reader.run(SLICE_MS)) await turns.next();
  } catch {
    return bytes;
  }
  if (renaming.both) throw bothWays(...renaming.both);
  return renaming.applyTo(bytes);
}

interface Level {
  readonly shape: Shape;
  readonly isArray: boolean;
  /** The declared names found in an object, and how they were written; null before the first. */
  found: Map<string, string> | null;
  /** The shape of the next value. */
  under: Shape;
}

/** Collects which names of a text to replace, by following its values through the shape of the schema. */
class Renaming implements JsonVisitor {
  readonly wantsTexts = false;
  /** The first two names that are the same field. */
  both: readonly [one: string, other: string] | null = null;
  private readonly levels: Level[] = [];
  private readonly changes: { readonly start: number; readonly end: number; readonly name: string }[] = [];

  constructor(private readonly root: Shape) {}

  open(kind: 'object' | 'array'): void {
    const around = this.levels.at(-1);
    const shape = !around ? this.root : around.isArray ? (around.shape.items ?? LEAF) : around.under;
    this.levels.push({ shape, isArray: kind === 'array', found: null, under: LEAF });
  }

  close(): void {
    this.levels.pop();
  }

  name(name: string, start: number, end: number): void {
    const level = this.levels.at(-1)!;
    const { shape } = level;
    if (shape === LEAF) return;
    const to = shape.snake.get(name) ?? name;
    level.under = shape.properties.get(to) ?? shape.values ?? LEAF;
    if (!shape.camel.has(to)) return;
    const found = (level.found ??= new Map());
    const before = found.get(to);
    // The service refuses a name that occurs twice.
    if (before !== undefined && before !== name) this.both ??= [to, before === to ? name : before];
    found.set(to, name);
    if (to !== name) this.changes.push({ start, end, name: to });
  }

  value(): void {}

  applyTo(bytes: Buffer): Buffer {
    if (this.changes.length === 0) return bytes;
    const parts: Buffer[] = [];
    let from = 0;
    for (const { start, end, name } of this.changes) {
      parts.push(bytes.subarray(from, start), Buffer.from(JSON.stringify(name)));
      from = end;
    }
    return Buffer.concat([...parts, bytes.subarray(from)]);
  }
}
