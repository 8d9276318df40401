import { describe, expect, it } from '@jest/globals';
import { fold, Instant, Refusal } from '@parlance/decider';
import { specify } from '@parlance/decider/specify';
import fc from 'fast-check';
import {
  isKnown,
  MOST_RETENTION_RULES,
  retention,
  ruleForExports,
  type RetentionCommand,
  type RetentionEvent,
  type RetentionTerms,
} from './retention.ts';

const given = specify(retention);
const now = Instant.ofSeconds(1_800_000_000);
const terms: RetentionTerms = { kind: 'conversations', inactiveDays: 30, scope: { appliesTo: 'all' }, isEnabled: true };
const create = (ruleId: string) => ({ type: 'Create', ruleId, terms, now }) as const;
const created = (ruleId: string) => ({ type: 'RetentionRuleCreated', ruleId, at: now, ...terms }) as const;
const removed = (ruleId: string) => ({ type: 'RetentionRuleRemoved', ruleId }) as const;
const full = Array.from({ length: MOST_RETENTION_RULES }, (_, index) => created(`r${index}`));

describe('retention rules', () => {
  it('are created', () => given().when(create('a')).emits(created('a')));
  it('are created once', () => given(created('a')).when(create('a')).emits());
  it('are not created again by the repeat of an old request', () =>
    given(created('a'), removed('a')).when(create('a')).refuses('retention_rule_not_found'));
  it('are limited in number', () =>
    given(...full)
      .when(create('more'))
      .refuses('too_many_retention_rules'));
  it('can be created again after one was removed', () =>
    given(...full, removed('r7'))
      .when(create('more'))
      .emits(created('more')));
  it('for exports apply to all exports', () => {
    const scope = { appliesTo: 'bot', botId: 'b' } as const;
    const exports = { ...terms, kind: 'exports' } as const;
    given()
      .when({ ...create('a'), terms: { ...exports, scope } })
      .refuses('retention_scope_not_possible');
    given({ ...created('a'), ...exports })
      .when({ type: 'Change', ruleId: 'a', changes: { scope } })
      .refuses('retention_scope_not_possible');
    given({ ...created('a'), ...exports })
      .when({ type: 'Change', ruleId: 'a', changes: { inactiveDays: 7 } })
      .emits({ type: 'RetentionRuleChanged', ruleId: 'a', ...exports, inactiveDays: 7 });
  });
  it('for uploads apply to all, to a bot or to a group', () => {
    const scope = { appliesTo: 'bot', botId: 'b' } as const;
    const uploads = { ...terms, kind: 'uploads', scope } as const;
    given()
      .when({ ...create('a'), terms: uploads })
      .emits({ ...created('a'), ...uploads });
  });
  it('of an unknown, newer kind cannot be changed, but can be removed', () => {
    const newer = { ...created('a'), kind: 'recordings' } as never as ReturnType<typeof created>;
    const rule = fold(retention, [newer]).rules['a']!;
    expect([rule.kind, isKnown(rule)]).toEqual(['recordings', false]);
    given(newer)
      .when({ type: 'Change', ruleId: 'a', changes: { isEnabled: false } })
      .refuses('retention_kind_not_known');
    given(newer).when({ type: 'Remove', ruleId: 'a' }).emits(removed('a'));
  });
  it('of earlier releases apply to conversations', () => {
    const { kind: _, ...stored } = created('a');
    expect(fold(retention, [stored]).rules['a']).toMatchObject({ kind: 'conversations', inactiveDays: 30 });
  });
  it('for exports apply with the smallest number of days, and only while they are enabled', () => {
    const exported = (ruleId: string, inactiveDays: number, isEnabled = true) =>
      ({ ...created(ruleId), kind: 'exports', inactiveDays, isEnabled }) as const;
    const rules = fold(retention, [created('c'), exported('a', 90), exported('b', 30), exported('d', 7, false)]);
    expect(ruleForExports(rules)).toEqual({ ruleId: 'b', days: 30 });
    expect(ruleForExports(fold(retention, [created('c'), exported('d', 7, false)]))).toBeNull();
  });
  it('record all terms when some change', () =>
    given(created('a'))
      .when({ type: 'Change', ruleId: 'a', changes: { isEnabled: false } })
      .emits({ type: 'RetentionRuleChanged', ruleId: 'a', ...terms, isEnabled: false }));
  it('can be changed to apply to other conversations', () =>
    given(created('a'))
      .when({ type: 'Change', ruleId: 'a', changes: { scope: { appliesTo: 'bot', botId: 'b' } } })
      .emits({ type: 'RetentionRuleChanged', ruleId: 'a', ...terms, scope: { appliesTo: 'bot', botId: 'b' } }));
  it('record no event if nothing changes', () =>
    given(created('a'))
      .when({ type: 'Change', ruleId: 'a', changes: { inactiveDays: 30, scope: { appliesTo: 'all' } } })
      .emits());
  it('cannot be changed if they do not exist', () =>
    given().when({ type: 'Change', ruleId: 'a', changes: {} }).refuses('retention_rule_not_found'));
  it('are changed and removed only in the version that was read', () => {
    const changed = { type: 'RetentionRuleChanged', ruleId: 'a', ...terms, inactiveDays: 7 } as const;
    const change = { type: 'Change', ruleId: 'a', changes: { isEnabled: false } } as const;
    const remove = { type: 'Remove', ruleId: 'a' } as const;
    given(created('a'), created('b'))
      .when({ ...change, ifVersion: 1 })
      .emits({ type: 'RetentionRuleChanged', ruleId: 'a', ...terms, isEnabled: false });
    given(created('a'), changed)
      .when({ ...change, ifVersion: 1 })
      .refuses('version_stale');
    given(created('a'), changed)
      .when({ ...remove, ifVersion: 1 })
      .refuses('version_stale');
    given(created('a'), changed)
      .when({ ...remove, ifVersion: 2 })
      .emits(removed('a'));
  });
  it('are removed', () => given(created('a')).when({ type: 'Remove', ruleId: 'a' }).emits(removed('a')));
  it('are removed once', () => given(created('a'), removed('a')).when({ type: 'Remove', ruleId: 'a' }).refuses('retention_rule_not_found'));

  it('are remembered after their removal in a limited number', () => {
    const ids = Array.from({ length: 101 }, (_, index) => `r${index}`);
    const state = fold(
      retention,
      ids.flatMap((ruleId) => [created(ruleId), removed(ruleId)]),
    );
    expect(state.removed).toEqual(ids.slice(1));
  });

  it('never exceed their limit, and a repeated command changes nothing', () => {
    const ruleId = fc.integer({ min: 0, max: MOST_RETENTION_RULES + 20 }).map(String);
    const command: fc.Arbitrary<RetentionCommand> = fc.oneof(
      { weight: 8, arbitrary: ruleId.map(create) },
      fc.record({ type: fc.constant('Remove' as const), ruleId }),
      fc.record({ type: fc.constant('Change' as const), ruleId, changes: fc.record({ inactiveDays: fc.integer({ min: 1, max: 3 }) }) }),
    );
    fc.assert(
      fc.property(fc.array(command, { maxLength: 300, size: 'max' }), (commands) => {
        const history: RetentionEvent[] = [];
        for (const each of commands) {
          const decision = retention.decide(each, fold(retention, history));
          if (decision instanceof Refusal) continue;
          history.push(...decision);
          const state = fold(retention, history);
          expect(Object.keys(state.rules).length).toBeLessThanOrEqual(MOST_RETENTION_RULES);
          const again = retention.decide(each, state);
          expect(again instanceof Refusal ? again.code : again).toEqual(each.type === 'Remove' ? 'retention_rule_not_found' : []);
        }
      }),
      { numRuns: 10 },
    );
  });
});
