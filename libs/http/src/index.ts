export { type Access, CheckedHere, Internal, isInGroup, Needs, Open, OpenOrSignedIn, Published, SignedIn } from './access/access.ts';
export { maskedValue, mintApiKey, readApiKey } from './access/api-key-value.ts';
export { AuditRecorder, type RefusedAction, type ViewedAction } from './access/audit-recorder.ts';
export { Audited, type AuditedAction, AuditedIfUnknown, idIn, refusedBy } from './access/audited.ts';
export {
  type CallerStatement,
  CallerStatements,
  CONTINUE_AT_HEADER,
  CONTINUES_HEADER,
  STATEMENT_HEADER,
} from './access/caller-statement.ts';
export { Caller } from './access/caller.ts';
export { issuedTo, type IssuedTo, readIssuedTo } from './access/issued-to.ts';
export type { OpenedRequest } from './access/context.hook.ts';
export { mintPersonalToken, PERSONAL_TOKEN_PREFIX, readPersonalToken } from './access/personal-token-value.ts';
export { AuditedRead } from './access/records-read.ts';
export { CACHE_HEADER } from './access/cache-header.ts';
export { SESSION_HEADER } from './access/session-header.ts';
export { isForAdministrators, TOKEN_SCOPES, type TokenScope, tokenScopeOf } from './access/token-scopes.ts';
export { currentClient } from './answers/answer-memory.ts';
export { limitUnread, PATIENCE_MILLIS } from './answers/unread-answers.ts';
export { inTurnOfLargeAnswer, LargeAnswer, turnOfLargeAnswer } from './answers/large-answer.ts';
export { createHttpApplication, type HttpApplicationOptions } from './application.ts';
export { linger, replaceBody } from './bodies/bodies.ts';
export {
  type BodyClass,
  ChangesFields,
  changesFields,
  MayBeLeftOut,
  MayBeNull,
  mayBeLeftOut,
  type Nested,
  type Property,
  type Rule,
  shapeOf,
} from './bodies/body-shape.ts';
export { limitBodyElsewhere } from './bodies/body-time.ts';
export { refused, validatorOf } from './bodies/body-validator.ts';
export { IsDollars } from './bodies/dollars.ts';
export { sendContinue } from './bodies/expectation.ts';
export { canonicalRange, IsIpRange } from './bodies/ip-range.ts';
export { AT_ONCE, IN_ONE_TURN, parseJson, readJson } from './bodies/json-body.ts';
export { JsonReader, type JsonVisitor } from './bodies/json-reader.ts';
export { lingerOnRefusedBodies } from './bodies/lingering.ts';
export { BodyBytes, type ReceivedBytes } from './bodies/raw-body.ts';
export { IdParam, UlidPipe } from './bodies/validation.ts';
export { limitAnswers } from './problems/answer-timeout.ts';
export { blockOf, type HeaderBlock, type HeaderList, keepBlock, keepBlockLater, keepHeaders } from './kept-headers.ts';
export { answerOnSocket } from './problems/broken-request.ts';
export { FailedCall } from './problems/failed-call.ts';
export { hasEffect, withLookUp } from './problems/look-up.ts';
export { ReadablePaths } from './problems/readable-paths.ts';
export { anthropicErrorForm } from './problems/anthropic-error-form.ts';
export { openAiError, openAiErrorForm } from './problems/openai-error-form.ts';
export { problem } from './problems/problem.filter.ts';
export { type FieldError, kindOfStatus, problemOf } from './problems/problem.ts';
export { CODE_HEADER, type RefusalForm, RefusesAs, remediesSchema } from './problems/refusal-form.ts';
export { scimErrorForm, scimMediaType } from './problems/scim-error-form.ts';
export { explainRefusalsAt } from './problems/refusal-page.ts';
export { type Leaving, LEAVING_HEADER } from './leaving.ts';
export { isTransient } from './problems/transient.ts';
export { acceptsCsv, csv, csvList, type CsvValue, MOST_CSV_ROWS } from './routes/csv.ts';
export { ABSENT, asksForAbsence, ENTITY_TAGS, etagOf, requireMatch } from './routes/etag.ts';
export { derivedId, FreshId, MAKES_USER, MakesUser, TAKES_IDEMPOTENCY_KEY, TakesIdempotencyKey } from './routes/fresh-id.ts';
export { IsUlid } from './routes/is-ulid.ts';
export { canonicalJson, PageTokens } from './routes/page-token.ts';
export { isUlid, Limit, PageQuery, ULID_PATTERN } from './routes/query.ts';
export { safeReturnTo } from './routes/return-to.ts';
export { AlsoTakesText, BodyLimit, LongAnswer, StartsWork, TakesBytes } from './routes/route-options.ts';
export { type Route, type RouteArgument, routesOf } from './routes/routes.ts';
export { ambiguityOf, hasBody, timesIn } from './routes/well-formed.ts';
