import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Test } from '@nestjs/testing';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { type Health, HealthModule } from './health.module.ts';
import { NestLogger, openLogging } from './logging/logging.ts';
import { Readiness } from './readiness.ts';

describe('the health of a service', () => {
  const readiness = new Readiness();
  const written: string[] = [];
  let app: NestFastifyApplication;
  let store: () => Promise<void | { position: number }>;

  beforeAll(async () => {
    readiness.needsToAnswer('event store', () => store());
    readiness.needsToAnswer('broker', () => Promise.resolve());
    readiness.showsBreaker('inference', () => 'open');
    const logger = openLogging({ level: 'warn', destination: { write: (line) => void written.push(line) } }).for('bots');
    const module = await Test.createTestingModule({
      imports: [HealthModule.for(readiness, (check, err) => logger.warn({ check, err }, 'not ready'))],
    }).compile();
    app = module.createNestApplication<NestFastifyApplication>(new FastifyAdapter(), { logger: new NestLogger(logger) });
    await app.init();
    await app.getHttpAdapter().getInstance().ready();
  });
  afterAll(() => app.close());
  beforeEach(() => {
    store = () => Promise.resolve({ position: 42 });
    written.length = 0;
  });

  async function get(path: string): Promise<{ status: number; body: Health }> {
    const response = await app.inject(path);
    expect(response.headers['cache-control']).toBe('no-store');
    return { status: response.statusCode, body: response.json() };
  }

  it('is good while all required dependencies answer, even with an open breaker', async () => {
    expect(await get('/health/ready')).toEqual({
      status: 200,
      body: {
        status: 'ok',
        details: {
          'event store': { status: 'up', position: 42, responseTime: expect.any(Number) },
          broker: { status: 'up', responseTime: expect.any(Number) },
          'breaker inference': { status: 'up', state: 'open' },
        },
      },
    });
    expect(written).toEqual([]);
  });

  it('is bad if a dependency fails; the answer names it, and only the log has the reason', async () => {
    store = () => Promise.reject(new Error('connect ECONNREFUSED db.internal:27017'));
    const { status, body } = await get('/health/ready');
    expect(status).toBe(503);
    expect(body).toMatchObject({
      status: 'error',
      details: { 'event store': { status: 'down', message: 'failed' }, broker: { status: 'up' } },
    });
    expect(JSON.stringify(body)).not.toMatch(/db\.internal|stack/);
    expect(written.map((line) => JSON.parse(line) as object)).toMatchObject([
      { level: 'warn', check: 'event store', err: { message: expect.stringContaining('db.internal') } },
    ]);
  });

  it('is bad if a dependency does not answer', async () => {
    store = () => new Promise(() => {});
    expect(await get('/health/ready')).toMatchObject({ status: 503, body: { details: { 'event store': { status: 'down' } } } });
  });

  it('shows the failure of an optional dependency, and stays good', async () => {
    readiness.shows('clock', () => Promise.reject(new Error('no clock')));
    const { status, body } = await get('/health/ready');
    expect([status, body.details['clock']]).toEqual([200, { status: 'down' }]);
    readiness.shows('clock', () => Promise.resolve({ drift: 3 }));
    expect((await get('/health/ready')).body.details['clock']).toEqual({ status: 'up', drift: 3 });
  });

  it('is bad while it waits for something, and shows the progress', async () => {
    let progress: string | null = '42 %';
    readiness.waitsFor('read models', () => (progress === null ? null : { users: progress }));
    const { status, body } = await get('/health/ready');
    expect([status, body.details['read models']]).toEqual([503, { status: 'down', users: '42 %' }]);
    progress = null;
    expect((await get('/health/ready')).status).toBe(200);
  });

  it('does not affect liveness', async () => {
    store = () => Promise.reject(new Error('away'));
    expect(await get('/health/live')).toEqual({ status: 200, body: { status: 'ok', details: {} } });
  });

  it('is bad as soon as the service is leaving', async () => {
    readiness.leave();
    expect(await get('/health/ready')).toMatchObject({ status: 503, body: { status: 'error', details: { shutdown: { status: 'down' } } } });
    expect((await get('/health/live')).status).toBe(200);
  });
});
