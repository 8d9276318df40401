import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AuditEntry } from '@parlance/client/types';
import { audit } from '../../../../messages/en/admin/operations/audit.ts';
import { actorOf, namesIn } from './entry-names.ts';

const entry = (parts: Partial<AuditEntry>): AuditEntry => ({
  id: 'e',
  user_id: 'u',
  user_name: null,
  action_type: 'create_bot',
  resource_type: 'bot',
  resource_id: 'b',
  resource_name: null,
  timestamp: 0,
  details: {},
  ip_address: null,
  user_agent: null,
  success: true,
  error_message: null,
  ...parts,
});

describe('an entry of the audit log', () => {
  it.each([
    [{ user_name: 'Ada Lovelace' }, 'Ada Lovelace'],
    [{ user_id: 'me', user_name: 'Ada Lovelace' }, 'You'],
    [{ user_id: 'anonymous' }, 'An unknown caller'],
    [{ user_id: 'system' }, 'Parlance'],
    [{ user_id: 'scim:t' }, 'A provisioning token'],
    [{ user_id: 'erased' }, null],
  ])('%j is by %s', (parts, actor) => expect(actorOf(entry(parts), audit, 'me')).toBe(actor));

  it('describes the action, whether it succeeded or failed', () => {
    expect(audit.happened('create_bot', true)).toBe('Created a bot');
    expect(audit.sentence('Ada', 'create_bot', false)).toBe('Ada could not create a bot');
    expect(audit.happened('of_a_newer_release', true)).toBe('Did of_a_newer_release');
  });

  it('uses the names that the filters show', () =>
    expect(namesIn([entry({ user_name: 'Ada', resource_name: 'Handbook' }), entry({ user_id: 'v' })])).toEqual(
      new Map([
        ['u', 'Ada'],
        ['b', 'Handbook'],
      ]),
    ));
});

const SERVICES = ['analytics', 'bots', 'edge', 'identity', 'inference', 'publication'];
/** The actions that services record, as their code names them. A union of texts is a type, such as the action of a guardrail policy. */
const RECORDED = [/\bAudited(?:Read|IfUnknown)?\(\s*'([a-z_]+)'/g, /\b(?:action|action_type): '([a-z_]+)'(?! \|)/g];
/** The actions of public events. */
const PUBLISHED = [/=>\s+(?:on[A-Z]\w*|actionOn\('\w+'\))\('([a-z_]+)', /g];

describe('the texts of actions', () => {
  it('exist for each action that services record', () => {
    const root = join(import.meta.dirname, '../../../../../../../');
    const actions = (project: string, forms: readonly RegExp[]): string[] =>
      readdirSync(join(root, project, 'src'), { recursive: true, encoding: 'utf8' })
        .filter((name) => name.endsWith('.ts') && !name.endsWith('.spec.ts'))
        .map((name) => readFileSync(join(root, project, 'src', name), 'utf8'))
        .flatMap((text) => forms.flatMap((form) => [...text.matchAll(form)].map(([, action]) => action!)));
    const recorded = new Set([
      ...SERVICES.flatMap((service) => actions(`apps/${service}`, RECORDED)),
      ...actions('libs/contracts', PUBLISHED),
    ]);
    expect([...recorded].filter((action) => !Object.hasOwn(audit.actions, action))).toEqual([]);
    expect(recorded.size).toBeGreaterThan(120);
  });
});
