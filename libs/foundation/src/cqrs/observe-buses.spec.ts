import { describe, expect, it } from '@jest/globals';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { refuse } from '@parlance/decider';
import { observeBuses } from './observe-buses.ts';

class Rename {}
class NameOf {}

function observed(handle: (message: object, context?: unknown) => unknown, isDebug = false) {
  const seen: unknown[] = [];
  const [commands, queries] = [{ execute: handle }, { execute: handle }] as unknown as [CommandBus, QueryBus];
  observeBuses(commands, queries, {
    tracing: {
      begin: (name: string, { attributes }: object & { attributes: object }) => ({
        end: (error: unknown) => seen.push(['span', name, attributes, error]),
      }),
    },
    metrics: {
      handled: (kind: string, name: string, outcome: string, seconds: number) => seen.push(['metric', kind, name, outcome, typeof seconds]),
    },
    logger: { isLevelEnabled: () => isDebug, debug: (line: object) => seen.push(['log', line]) },
  } as never);
  return { commands, queries, seen };
}

describe('an observed bus', () => {
  it('answers as the handler does, with the context that was given', async () => {
    const { commands, queries, seen } = observed(async (message, context) => [message, context]);
    const [rename, nameOf, context] = [new Rename(), new NameOf(), { tenant: 'a' }];
    expect(await commands.execute(rename as never, context as never)).toEqual([rename, context]);
    expect(await queries.execute(nameOf as never)).toEqual([nameOf, undefined]);
    expect(seen).toEqual([
      ['span', 'Rename', { kind: 'command' }, undefined],
      ['metric', 'command', 'Rename', 'done', 'number'],
      ['span', 'NameOf', { kind: 'query' }, undefined],
      ['metric', 'query', 'NameOf', 'done', 'number'],
    ]);
  });

  const [refusal, away, broken] = [refuse('conflict', 'taken', 'Taken.'), refuse('unavailable', 'away', 'Away.'), new Error('broken')];

  it.each([
    ['refused, and its span has no error', refusal, 'refused', undefined],
    ['failed when a dependency is unavailable', away, 'failed', away],
    ['failed when its handler threw', broken, 'failed', broken],
  ])('counts a message as %s', async (_, error, outcome, inSpan) => {
    const { commands, seen } = observed(() => {
      throw error;
    });
    await expect(commands.execute(new Rename() as never)).rejects.toBe(error);
    expect(seen).toEqual([
      ['span', 'Rename', { kind: 'command' }, inSpan],
      ['metric', 'command', 'Rename', outcome, 'number'],
    ]);
  });

  it('writes a line at debug without the content of the message', async () => {
    const { commands, seen } = observed(async () => null, true);
    await commands.execute(Object.assign(new Rename(), { secret: 'x' }) as never);
    expect(seen.at(-1)).toEqual(['log', { command: 'Rename', outcome: 'done', ms: expect.any(Number) }]);
  });
});
