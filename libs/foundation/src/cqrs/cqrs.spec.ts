import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { CommandBus, CqrsModule, QueryBus } from '@nestjs/cqrs';
import { Test, type TestingModule } from '@nestjs/testing';
import { type Decider, refuse } from '@parlance/decider';
import { ReadModels } from '@parlance/read-models';
import { Streams } from '../streams.ts';
import { observeBuses } from './observe-buses.ts';
import { serviceBus } from './service-bus.ts';

const { aggregate, commandWith, handlers, query, singleAggregate } = serviceBus('lights');

type Lamp = { isOn: boolean };
const lamp: Decider<{ type: 'SwitchOn' }, { type: 'SwitchedOn' }, Lamp> = {
  initialState: { isOn: false },
  decide: (_, { isOn }) => (isOn ? [] : [{ type: 'SwitchedOn' }]),
  evolve: () => ({ isOn: true }),
};
const ExecuteLamp = aggregate('ExecuteLamp', lamp, (id) => `lamp-${id}`);
const ExecuteMain = singleAggregate('ExecuteMain', lamp, 'main');
const SwitchAllOn = commandWith('SwitchAllOn', [Streams], async ([streams], ...ids: string[]) => {
  for (const id of ids) await streams.execute(lamp, `lamp-${id}`, { type: 'SwitchOn' });
  return ids.length;
});
const LampById = query('LampById', async (models, id: string, floor: number): Promise<unknown> => models.get({ floor } as never, id));

describe('declared commands and queries', () => {
  let app: TestingModule;
  let executed: unknown[];
  let failure: Error | undefined;

  beforeEach(async () => {
    executed = [];
    failure = undefined;
    const streams = {
      execute: async (...args: unknown[]) => {
        executed.push(args);
        if (failure) throw failure;
        return { position: 7 };
      },
    };
    const models = { get: async (table: unknown, key: string) => [table, key] };
    app = await Test.createTestingModule({
      imports: [CqrsModule.forRoot()],
      providers: [{ provide: Streams, useValue: streams }, { provide: ReadModels, useValue: models }, ...handlers()],
    }).compile();
    await app.init();
  });
  afterEach(() => app.close());

  const send = (command: InstanceType<typeof ExecuteLamp>) => app.get(CommandBus).execute(command);

  it('carry out a command on the stream of its ID, with its options', async () => {
    const done = await send(new ExecuteLamp('l1', { type: 'SwitchOn' }, { ifMatch: '"1"' }));
    expect(done).toEqual({ position: 7 });
    expect(executed).toEqual([[lamp, 'lamp-l1', { type: 'SwitchOn' }, { ifMatch: '"1"' }]]);
  });
  it('carry out a command on the only stream of an aggregate', async () => {
    await app.get(CommandBus).execute(new ExecuteMain({ type: 'SwitchOn' }));
    expect(executed).toEqual([[lamp, 'main', { type: 'SwitchOn' }, undefined]]);
  });
  it('carry out a command that takes more than one decision', async () => {
    expect(await app.get(CommandBus).execute(new SwitchAllOn('l1', 'l2'))).toBe(2);
    expect(executed.map((each) => (each as unknown[])[1])).toEqual(['lamp-l1', 'lamp-l2']);
  });
  it('cannot be declared after the handlers were provided, because they would have no handler', () =>
    expect(() => query('Late', async () => null)).toThrow('lights declares Late after its handlers were provided'));
  it('answer a query from the read models, with its arguments in order', async () =>
    expect(await app.get(QueryBus).execute(new LampById('l1', 3))).toEqual([{ floor: 3 }, 'l1']));
  it('have their declared names', () =>
    expect([ExecuteLamp, ExecuteMain, LampById].map(({ name }) => name)).toEqual(['ExecuteLamp', 'ExecuteMain', 'LampById']));

  describe('when observed', () => {
    let spans: unknown[];
    let measured: unknown[];
    let lines: unknown[];

    beforeEach(() => {
      [spans, measured, lines] = [[], [], []];
      const tracing = {
        begin: (name: string, { attributes }: { attributes: object }) => ({
          end: (error?: unknown) => spans.push([name, attributes, error]),
        }),
      };
      const metrics = {
        handled: (kind: string, name: string, outcome: string, seconds: number) => measured.push([kind, name, outcome, seconds >= 0]),
      };
      const logger = {
        isLevelEnabled: () => true,
        debug: ({ ms, ...fields }: { ms: number }) => lines.push([fields, typeof ms]),
      };
      observeBuses(app.get(CommandBus), app.get(QueryBus), { tracing, metrics, logger } as never);
    });

    it('record a span, a measurement and a log line', async () => {
      await send(new ExecuteLamp('l1', { type: 'SwitchOn' }));
      await app.get(QueryBus).execute(new LampById('l1', 3));
      expect(spans).toEqual([
        ['ExecuteLamp', { kind: 'command' }, undefined],
        ['LampById', { kind: 'query' }, undefined],
      ]);
      expect(measured).toEqual([
        ['command', 'ExecuteLamp', 'done', true],
        ['query', 'LampById', 'done', true],
      ]);
      expect(lines).toEqual([
        [{ command: 'ExecuteLamp', outcome: 'done' }, 'number'],
        [{ query: 'LampById', outcome: 'done' }, 'number'],
      ]);
    });
    it.each([
      ['a refusal as an outcome', refuse('conflict', 'lamp_broken', 'The lamp is broken.'), 'refused', false],
      ['an unavailable dependency as a failure', refuse('unavailable', 'away', 'The database is unavailable.'), 'failed', true],
      ['an error as a failure', new Error('oops'), 'failed', true],
    ])('report %s, and pass it on', async (_, error, outcome, isFailure) => {
      failure = error;
      await expect(send(new ExecuteLamp('l1', { type: 'SwitchOn' }))).rejects.toBe(error);
      expect(measured).toEqual([['command', 'ExecuteLamp', outcome, true]]);
      expect(spans).toEqual([['ExecuteLamp', { kind: 'command' }, isFailure ? error : undefined]]);
    });
  });
});
