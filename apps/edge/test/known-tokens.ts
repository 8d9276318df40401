import { stub } from './rig.ts';

export interface Owner {
  id: string;
  version: number;
  groups: string[];
  usable: boolean;
}

/** An identity service that knows these tokens, and counts how often it is asked. */
export function identityOf(reported: unknown[]) {
  const service = Object.assign(stub('identity'), { asked: 0 });
  const tokens = new Map<string, { hash: string; owner: Owner; its: object }>();
  service.get<{ Params: { id: string } }>('/internal/personal-tokens/:id', ({ params: { id } }, reply) => {
    service.asked += 1;
    const token = tokens.get(id);
    if (!token) return reply.code(404).type('application/problem+json').send('{"code":"token_not_found","detail":"No such token."}');
    const { hash, owner, its } = token;
    const names = [`token:${id}`, `owner:${owner.id}/${owner.version}`, 'groups:1'];
    const { groups, usable } = owner;
    const terms = { user_id: owner.id, email: `${owner.id}@example.org`, groups, usable, password_change_required: false, hash, names };
    return { ...terms, scopes: ['chat'], expires_at: 4e9, allowed_ip_ranges: [], copy_seconds: 3_600, ...its };
  });
  service.post('/internal/personal-tokens/uses', ({ body }, reply) => {
    reported.push(...(body as { uses: unknown[] }).uses);
    return reply.code(204).send();
  });
  return { service, tokens };
}
