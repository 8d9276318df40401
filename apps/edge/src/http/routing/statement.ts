import type { Caller, CallerStatement } from '@parlance/http';
import type { RequestContext } from '@parlance/observability';

type Writable<Facts> = { -readonly [Name in keyof Facts]: Facts[Name] };

const NO_GROUPS: readonly string[] = [];

/** What a service learns about the caller of a request. `newId`: of the resource that the request creates. */
export function statementOf(
  caller: Caller | null,
  requestId: string,
  context: RequestContext | undefined,
  newId: string | undefined,
): CallerStatement {
  const statement: Writable<CallerStatement> = {
    sub: caller?.userId ?? null,
    groups: caller?.groups ?? NO_GROUPS,
    sid: caller?.sessionId ?? null,
    kind: caller?.kind ?? 'anonymous',
    ip: context?.ip ?? null,
    ua: context?.userAgent ?? null,
    rid: requestId,
    cid: context?.correlationId ?? requestId,
  };
  // Assigned, because each spread of an optional object makes another one.
  if (caller?.email !== undefined) statement.email = caller.email;
  if (caller?.tokenId !== undefined) statement.tid = caller.tokenId;
  if (caller?.api) statement.api = caller.api;
  if (newId !== undefined) statement.nid = newId;
  return statement;
}
