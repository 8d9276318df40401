import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, jest } from '@jest/globals';
import { waitFor } from '@parlance/testing';
import { chosenLevel, type Logger, NestLogger, openLogging, standardOutput } from './logging.ts';
import { RequestContext } from '../request-context.ts';

type Line = Record<string, unknown>;

function logs(level: 'trace' | 'info' | 'warn' = 'trace') {
  const written: string[] = [];
  const logging = openLogging({ level, destination: { write: (line) => void written.push(line) } });
  return { logging, written, lines: () => written.map((line) => JSON.parse(line) as Line) };
}

const secret = 'zx9canary';
const context: RequestContext = {
  requestId: 'r-1',
  correlationId: 'c-1',
  causationId: null,
  caller: null,
  ip: null,
  userAgent: null,
  traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
};

describe('a line of the log', () => {
  it('names its service, request and trace', () => {
    const { logging, lines } = logs();
    const bots = logging.for('bots');
    RequestContext.run(context, () => bots.info('made'));
    bots.info('outside');
    expect(lines()).toEqual([
      {
        level: 'info',
        time: expect.any(Number),
        service: 'bots',
        request_id: 'r-1',
        correlation_id: 'c-1',
        trace_id: '4bf92f3577b34da6a3ce929d0e0e4736',
        msg: 'made',
      },
      { level: 'info', time: expect.any(Number), service: 'bots', msg: 'outside' },
    ]);
  });

  it('contains no byte of a secret, however the secret was passed', () => {
    const { logging, written } = logs();
    const logger = logging.for('edge');
    const error = Object.assign(new Error(`GET /x?access_token=${secret}`, { cause: new Error(`password=${secret}`) }), {
      config: { headers: { authorization: `Bearer ${secret}` } },
    });
    const doors: ((logger: Logger) => void)[] = [
      (log) => log.info({ headers: { authorization: secret, cookie: `sid=${secret}`, 'x-api-key': secret } }),
      (log) => log.info({ body: { email: 'ada@example.org', current_password: secret, nested: [{ refresh_token: secret }] } }),
      (log) => log.info(`prl_${secret}${secret} was refused`),
      (log) => log.info('the header was %s', `Authorization: Bearer ${secret}`),
      (log) => log.info('the body was %j', { clientSecret: secret }),
      (log) => log.error({ err: error }, `failed with {"password":"${secret}"}`),
      (log) => log.error(error),
      (log) => log.error({ problem: error, apiKey: secret }),
      (log) => log.child({ masterKey: secret, url: `mongodb://x:${secret}@db` }).warn('bound'),
      (log) => new NestLogger(log).error(error, 'Somewhere'),
      (log) => new NestLogger(log).error(`token=${secret}`, error.stack, 'Somewhere'),
      (log) => new NestLogger(log).log({ secret }, 'Somewhere'),
      (log) => new NestLogger(log).warn('failed', { password: secret }, 'Somewhere'),
      (log) => RequestContext.run({ ...context, requestId: `Bearer 1${secret}` }, () => log.info('within')),
    ];
    for (const door of doors) door(logger);
    expect(written).toHaveLength(doors.length);
    for (const line of written) {
      expect(line).not.toContain(secret);
      expect(line).toContain('***');
      expect(line.trimEnd()).not.toContain('\n');
    }
  });
});

describe('the level of the log', () => {
  it('is the configured level', () => expect(chosenLevel({ logLevel: 'debug' }, true)).toBe('debug'));
  it('is info by default, and warn at a terminal', () => {
    expect([chosenLevel({ logLevel: 'auto' }, false), chosenLevel({ logLevel: 'auto' }, true)]).toEqual(['info', 'warn']);
  });
  it('suppresses lines below it', () => {
    const { logging, lines } = logs('warn');
    logging.for('bots').info('not this');
    logging.for('bots').warn('this');
    expect(lines()).toMatchObject([{ msg: 'this' }]);
  });
});

describe('a log line of Nest', () => {
  it('becomes a line with its context', () => {
    const { logging, lines } = logs();
    const nest = new NestLogger(logging.for('bots'));
    nest.log('ready', 'Main');
    nest.warn({ odd: true }, 'Main');
    nest.warn('called', { target: 'bots', path: '/bot' }, 'Calls');
    nest.warn('counted', 3, 'Calls');
    nest.error('broken', 'Error: broken\n    at x (y.ts:1:1)', 'Main');
    nest.error(new Error('thrown'));
    nest.fatal('over', 'Main');
    nest.verbose('much', 'Main');
    nest.debug('some', 'Main');
    expect(lines()).toMatchObject([
      { level: 'info', context: 'Main', msg: 'ready' },
      { level: 'warn', context: 'Main', msg: '{"odd":true}' },
      { level: 'warn', context: 'Calls', msg: 'called', target: 'bots', path: '/bot' },
      { level: 'warn', context: 'Calls', msg: 'counted', more: [3] },
      { level: 'error', context: 'Main', msg: 'broken', stack: expect.stringContaining('at x') },
      { level: 'error', msg: 'thrown', err: { type: 'Error', stack: expect.stringContaining('thrown') } },
      { level: 'fatal', msg: 'over' },
      { level: 'trace', msg: 'much' },
      { level: 'debug', msg: 'some' },
    ]);
  });

  it('that appears at every start is logged at level debug', () => {
    const { logging, lines } = logs('info');
    new NestLogger(logging.for('bots')).log('HttpModule dependencies initialized', 'InstanceLoader');
    expect(lines()).toEqual([]);
  });
});

describe('the log', () => {
  it('is written when it is flushed', async () => {
    const held: string[] = [];
    let flushed = 0;
    const destination = {
      write: (line: string) => void held.push(line),
      flush: (done: () => void) => {
        flushed = held.length;
        done();
      },
    };
    const logging = openLogging({ level: 'info', destination });
    logging.for('bots').info('last words');
    await logging.flush();
    expect(flushed).toBe(1);
  });
});

describe('the output of logs', () => {
  it('is written soon after a line, and needs no timer while there are no lines', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'logs-'));
    const path = join(directory, 'out');
    const output = standardOutput(path);
    const set = jest.spyOn(globalThis, 'setTimeout');
    const timers = () => set.mock.calls.filter(([, millis]) => millis === 250).length;
    expect(timers()).toBe(0);
    for (const line of ['one\n', 'two\n']) output.write(line);
    expect(timers()).toBe(1);
    await waitFor(async () => (await readFile(path, 'utf8')) === 'one\ntwo\n');
    output.write('three\n');
    expect(timers()).toBe(2);
    await waitFor(async () => (await readFile(path, 'utf8')) === 'one\ntwo\nthree\n');
    output.end();
    await rm(directory, { recursive: true });
  });
});
