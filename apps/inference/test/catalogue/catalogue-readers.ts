import { afterAll, describe, expect, it } from '@jest/globals';
import { Config } from '@parlance/config';
import { refuse, UnknownEvent } from '@parlance/decider';
import { Streams, Timers } from '@parlance/foundation';
import type { Logger } from '@parlance/observability';
import { type SubjectKeys, Vault } from '@parlance/privacy';
import { waitFor } from '@parlance/testing';
import { ModelProvidersLifecycle } from '../../src/adapters/model-providers-lifecycle.ts';
import { Catalogue } from '../../src/adapters/pricing/catalogue.ts';
import { ModelPrices } from '../../src/adapters/pricing/model-prices.ts';
import { schedule } from '../../src/schedule.ts';
import { CallTargets } from '../../src/workflows/calls/routes/call-targets.ts';
import { CatalogueReader } from '../../src/workflows/catalogue/catalogue-reader.ts';
import { type CatalogueUnderTest, EVENTS, KEY } from './catalogue-under-test.ts';

const silent = { error: () => undefined } as unknown as Logger;

export function catalogueReaders(catalogue: CatalogueUnderTest): void {
  describe('a catalogue that administrators change while Parlance runs', () => {
    const { service, call, add } = catalogue;
    const replica = new Catalogue(service.part(Config), service.part(ModelPrices));
    afterAll(() => replica.providers.close());

    it('reaches another replica, which reads the log on its own schedule', async () => {
      const reader = new CatalogueReader(
        service.part(EVENTS),
        service.part(Streams),
        service.part(Vault),
        replica,
        service.part(ModelProvidersLifecycle),
        service.part(CallTargets),
        silent,
      );
      const entry = schedule.find(({ name }) => name === 'read the catalogue')!;
      const work = entry.bind({ get: (part: unknown) => (part === CatalogueReader ? reader : service.part(part as never)) } as never);
      // At the pace of production, at which a change arrives within two seconds.
      expect(entry.interval).toBeLessThanOrEqual(1_000);
      const timers = new Timers(silent);
      timers.every(entry.interval as number, entry.name, () => work.run());
      await waitFor(() => replica.isAvailable('ours-large') && replica.routes.has('any'), { what: 'the earlier models at the replica' });
      const answer = await add('models', { id: 'brief', provider: 'ours', model: 'small' });
      await waitFor(() => replica.isAvailable('brief'), { what: 'the model at the replica' });
      expect((await call('delete', '/admin/models/brief').set('if-match', answer.headers['etag']!)).status).toBe(204);
      await waitFor(() => !replica.isAvailable('brief'), { what: 'the removal at the replica' });
      // A reply that it is still writing needs its window.
      expect(replica.windowOf('brief').contextWindow).toBe(8_192);
      await timers.stop();
    });

    it('is read when a process starts', async () => {
      const started = new Catalogue(service.part(Config), service.part(ModelPrices));
      const reader = new CatalogueReader(
        service.part(EVENTS),
        service.part(Streams),
        service.part(Vault),
        started,
        service.part(ModelProvidersLifecycle),
        service.part(CallTargets),
        silent,
      );
      await reader.onApplicationBootstrap();
      expect([started.isAvailable('ours-large'), started.whole.providers['ours']?.api_key]).toEqual([true, KEY]);
      started.providers.close();
    });

    it('does not prevent the start of a release that does not know a change of a newer one', async () => {
      const started = new Catalogue(service.part(Config), service.part(ModelPrices));
      const streams = { look: () => Promise.reject(new UnknownEvent('ModelFrozen')) } as unknown as Streams;
      const lines: unknown[] = [];
      const reader = new CatalogueReader(
        service.part(EVENTS),
        streams,
        service.part(Vault),
        started,
        service.part(ModelProvidersLifecycle),
        service.part(CallTargets),
        { error: (facts: { err: Error }) => lines.push(facts.err) } as unknown as Logger,
      );
      await reader.onApplicationBootstrap();
      await reader.refresh();
      expect(lines).toEqual([expect.any(UnknownEvent)]);
      expect([started.isAvailable('ours-large'), started.list.length > 0]).toEqual([false, true]);
      started.providers.close();
    });

    it('opens credentials again that could not be read in an outage', async () => {
      const started = new Catalogue(service.part(Config), service.part(ModelPrices));
      const away = refuse('unavailable', 'service_unavailable', 'The database is away.');
      const vault = new Vault({ find: () => Promise.reject(away) } as unknown as SubjectKeys);
      const reader = new CatalogueReader(
        service.part(EVENTS),
        service.part(Streams),
        vault,
        started,
        service.part(ModelProvidersLifecycle),
        service.part(CallTargets),
        silent,
      );
      await expect(reader.refresh()).rejects.toBe(away);
      vault.openJson = (text) => service.part(Vault).openJson(text);
      await reader.refresh();
      expect(started.whole.providers['ours']?.api_key).toBe(KEY);
      started.providers.close();
    });
  });
}
