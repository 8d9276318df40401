import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CommandBus } from '@nestjs/cqrs';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { type ServiceUnderTest, serviceUnderTest } from '@parlance/foundation/harness';
import { waitFor } from '@parlance/testing';
import request from 'supertest';
import { AnalyticsModule } from '../src/analytics.module.ts';
import { ExecuteConfiguration } from '../src/commands/aggregates.ts';
import { CONFIGURATION_ID } from '../src/domain/configuration.ts';
import { analytics } from '../src/service.ts';

const canary = 'canary-of-a-password';

describe('a start with another configuration', () => {
  let directory: string;
  let service: ServiceUnderTest;
  let commands: CommandBus;

  async function start(settings: Readonly<Record<string, string>> = {}): Promise<void> {
    const module = async (host: ServiceUnderTest['host']) => {
      const inner = await AnalyticsModule.of(host);
      const grab = { provide: 'grabbed', inject: [CommandBus], useFactory: (bus: CommandBus) => void (commands = bus) };
      return { ...inner, providers: [...inner.providers!, grab] };
    };
    service = await serviceUnderTest({ ...analytics, module }, { PARLANCE_DATA_DIR: directory, ...settings });
  }

  interface Entry {
    readonly user_id: string;
    readonly details: { readonly keys: readonly string[] };
  }
  async function entries(): Promise<readonly Entry[]> {
    const path = '/admin/audit-logs?action_type=change_configuration';
    return (await request(service.server).get(path).set(service.as('root', 'Admin')).expect(200)).body.audit_logs;
  }
  const keysOf = (all: readonly Entry[]) => all.map(({ details }) => details.keys);
  const recorded = (count: number) => waitFor(async () => (await entries()).length >= count, { what: `${count} entries` });
  /** An entry of a later event shows that an earlier one has none. Its keys differ from those of the newest entry. */
  async function laterEntry(keys: readonly string[]): Promise<void> {
    const fingerprints = Object.fromEntries(keys.map((key) => [key, 'other']));
    await commands.execute(new ExecuteConfiguration(CONFIGURATION_ID, { type: 'Start', fingerprints, unset: [] }));
    await waitFor(async () => keysOf(await entries())[0]?.join() === keys.join(), { what: `the entry of ${keys.join()}` });
  }

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'parlance-configuration-'));
  });
  afterEach(() => service.stop());
  afterAll(() => rm(directory, { recursive: true }));

  it('has no audit entry at the first start', async () => {
    await start();
    await laterEntry(['port']);
    expect(keysOf(await entries())).toEqual([['port']]);
  });

  it('has one audit entry with the keys and without the values', async () => {
    // The test before noted one key only.
    await start();
    await recorded(2);
    await service.stop();
    await start({ PARLANCE_TOKEN_VALID_MINUTES: '7', PARLANCE_ADMIN_PASSWORD: canary });
    await recorded(3);
    const [entry] = await entries();
    expect(entry).toMatchObject({
      user_id: 'system',
      action_type: 'change_configuration',
      resource_type: 'configuration',
      resource_id: '',
      details: { keys: ['adminPassword', 'tokenValidMinutes'] },
      ip_address: null,
      success: true,
    });
    const files = (await readdir(directory, { recursive: true, withFileTypes: true })).filter((each) => each.isFile());
    const contents = await Promise.all(files.map(({ parentPath, name }) => readFile(join(parentPath, name))));
    expect(contents.some((bytes) => bytes.includes('adminPassword'))).toBe(true);
    expect(contents.some((bytes) => bytes.includes(canary))).toBe(false);
  });

  it('has no audit entry if it is the same as at the last start', async () => {
    await start({ PARLANCE_TOKEN_VALID_MINUTES: '7', PARLANCE_ADMIN_PASSWORD: canary });
    await laterEntry(['port']);
    expect(keysOf(await entries())).toHaveLength(4);
  });

  it('has one audit entry even if several replicas start with it at the same time', async () => {
    await start({ PARLANCE_TOKEN_VALID_MINUTES: '7', PARLANCE_ADMIN_PASSWORD: canary });
    await recorded(5);
    const fingerprints = { port: 'of three replicas' };
    const once = () => commands.execute(new ExecuteConfiguration(CONFIGURATION_ID, { type: 'Start', fingerprints, unset: [] }));
    await Promise.all([once(), once(), once()]);
    await laterEntry(['dataDir']);
    expect(keysOf(await entries()).slice(0, 2)).toEqual([['dataDir'], ['port']]);
    expect(await entries()).toHaveLength(7);
  });
});
