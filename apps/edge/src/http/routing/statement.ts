import type { Caller, CallerStatement } from '@parlance/http';
import type { RequestContext } from '@parlance/observability';

type Writable<Facts> = { -readonly [Name in keyof Facts]: Facts[Name] };

const NO_GROUPS: readonly string[] = [];

/** The statement about a request's caller for a service. `newId`: the ID of the resource that the request creates. */
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
  // Fields are assigned one by one, because each spread of an optional object allocates another object.
  if (caller?.email !== undefined) statement.email = caller.email;
  if (caller?.tokenId !== undefined) statement.tid = caller.tokenId;
  if (caller?.callTerms) statement.terms = caller.callTerms;
  if (caller?.api) statement.api = caller.api;
  if (newId !== undefined) statement.nid = newId;
  return statement;
}
