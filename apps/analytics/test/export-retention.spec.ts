import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Instant } from '@parlance/decider';
import { newId } from '@parlance/event-store';
import type { Service } from '@parlance/foundation';
import { KeysOfUsers, type ServiceUnderTest, serviceUnderTest } from '@parlance/foundation/harness';
import type { CloudEvent } from '@parlance/messaging';
import { waitFor } from '@parlance/testing';
import request from 'supertest';
import { AnalyticsModule } from '../src/analytics.module.ts';
import { dayOfHour, hourAt } from '../src/domain/export-period.ts';
import { analytics } from '../src/service.ts';
import { ExportRetention } from '../src/workflows/exports/export-retention.ts';
import { ExportedConversations, exportsOf } from './exported-conversations.ts';
import { enterPeople } from './other-services.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const days = [5, 4, 2].map((ago) => Math.floor(Date.now() / DAY) * DAY - ago * DAY + 12 * HOUR);
const [oldest, old, young] = days.map((noon) => hourAt(Instant.ofMillis(noon))) as [string, string, string];

describe('retention rules for exports', () => {
  let service: ServiceUnderTest;
  let retention: ExportRetention;
  let conversations: ExportedConversations;
  let exports: ReturnType<typeof exportsOf>;
  const held = { user_ids: [] as string[], bot_ids: [] as string[] };
  const published: CloudEvent[] = [];
  const expired = () => published.filter(({ type }) => type === 'parlance.analytics.export-expired.v1').map(({ data }) => data);
  const there = async () => [...(await exports.list()), ...(await exports.list('day'))].map(({ hour }: { hour: string }) => hour).sort();
  const isWritten = async (period: string) => (await exports.get(period)).body.status === 'written';

  beforeAll(async () => {
    const module = async (host: Parameters<Service['module']>[0]) => {
      const inner = await AnalyticsModule.of(host);
      const grab = (found: ExportRetention) => (retention = found);
      return { ...inner, providers: [...inner.providers!, { provide: 'retention', inject: [ExportRetention], useFactory: grab }] };
    };
    service = await serviceUnderTest({ ...analytics, module });
    await new KeysOfUsers().enter(service.host);
    await enterPeople(service.host, [], held);
    conversations = new ExportedConversations(service);
    exports = exportsOf(service);
    await service.host.broker.subscribe({
      group: 'listener',
      topics: ['parlance.analytics'],
      handle: async (deliveries) => void published.push(...deliveries.map(({ event }) => event)),
    });
    await conversations.talk(newId(), 'ann', days[0]!, 'The oldest words');
    await conversations.talk(newId(), 'ben', days[0]! + HOUR, 'An hour later');
    await conversations.talk(newId(), 'ben', days[1]!, 'Old words');
    await conversations.talk(newId(), 'ben', days[2]!, 'Young words');
    await conversations.enter();
    for (const hour of [oldest, old, young])
      for (const period of [hour, dayOfHour(hour)]) await waitFor(() => isWritten(period), { what: `the export ${period}` });
  });
  afterAll(() => service.stop());

  const all = () => [oldest, hourAt(Instant.ofMillis(days[0]! + HOUR)), old, young].flatMap((hour) => [hour, dayOfHour(hour)]);

  it('are counted before they are created', async () => {
    expect(await there()).toEqual([...new Set(all())].sort());
    const older = (past: number) => request(service.server).get(`/internal/exports/older?days=${past}`).set(service.asService('inference'));
    expect((await older(3)).body).toEqual({ exports: 5 });
    expect((await older(4)).body).toEqual({ exports: 3 });
    expect((await older(5)).body).toEqual({ exports: 0 });
  });

  it('leave days with conversations of users on hold, and remove the others whole with their files', async () => {
    conversations.rule = { rule_id: 'r', days: 3 };
    held.user_ids.push('ann');
    const store = await service.host.objects.store();
    const [gone, stays] = [(await exports.get(old)).body.key, (await exports.get(oldest)).body.key];
    await retention.removeOld();
    await waitFor(() => expired().length >= 2, { what: 'the receipts' });
    expect(await there()).toEqual([...new Set(all())].filter((period) => !period.startsWith(dayOfHour(old))).sort());
    expect([await store.stat(gone), (await store.stat(stays)) !== null]).toEqual([null, true]);
    expect((await exports.get(old)).body).toMatchObject({ code: 'export_not_found' });
    expect(expired()).toEqual([dayOfHour(old), old].map((period) => ({ period, rule_id: 'r' })));
  });

  it('continue when the hold is lifted', async () => {
    held.user_ids.pop();
    await retention.removeOld();
    const left = [young, dayOfHour(young)].sort();
    expect(await there()).toEqual(left);
    await waitFor(() => expired().length >= 5, { what: 'the receipts' });
    expect(expired()).toHaveLength(5);
  });

  it('do not let a late event rewrite a removed file until there is no rule', async () => {
    const asked = conversations.asked;
    await conversations.talk(newId(), 'ben', days[1]! + 60_000, 'Late words');
    service.later(HOUR);
    await conversations.talk(newId(), 'ben', days[2]! + 60_000, 'Late words of a kept hour');
    await waitFor(() => conversations.asked > asked, { what: 'another export' });
    expect(await there()).toEqual([young, dayOfHour(young)].sort());
    conversations.rule = null;
    service.later(HOUR);
    await waitFor(() => isWritten(old), { what: 'the export that is kept again' });
  });
});
