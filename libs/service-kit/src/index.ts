export { ServiceForward } from './calls/forward.ts';
export { LocalServices } from './calls/in-process.ts';
export { ServiceCalls } from './calls/service-calls.ts';
export { Config } from './config/config.ts';
export { ConfigError } from './config/config-error.ts';
export { describeConfig, effectiveConfig } from './config/describe-config.ts';
export {
  CLOCK_MARGIN_MILLIS,
  CONTROLS,
  FORMATS,
  GROUP_NAME,
  hasAddressCharacters,
  IGNORABLES,
  isAddress,
  isGroupName,
  isNewPassword,
  LONGEST_ADDRESS,
  LONGEST_PASSWORD,
  LONGEST_TOKEN_MINUTES,
  SHORTEST_PASSWORD,
} from './config/limits.ts';
export { baseUrl, loadConfig } from './config/load-config.ts';
export type { ModelCatalogue } from './config/model-catalogue.ts';
export type { OidcProvider } from './config/oidc-provider.ts';
export { Answers, Refuses, Summary, Takes } from './documents/answers.ts';
export { assembleDocuments } from './documents/assemble-documents.ts';
export { withExamples } from './documents/examples.ts';
export { DOCUMENT_PATH } from './documents/document.module.ts';
export { type OpenApiDocument, serviceDocument } from './documents/service-document.ts';
export { Clock, newId } from './foundation/clock.ts';
export { AuditedRead } from './audit/records-read.ts';
export { openOrigin, Origins } from './audit/origins.ts';
export { userSubject } from './foundation/subject-keys.ts';
export { LOGGER, VERSION } from './foundation/common.module.ts';
export { eraseEach, erasureIncomplete, Erasing, KeepsNothing, type Removed } from './foundation/erasing.ts';
export { FoundationModule, type ServiceParts } from './foundation/foundation.module.ts';
export { type Host, openHost } from './foundation/host.ts';
export { isTransient } from './http/transient.ts';
export { publishing, type Said, say } from './foundation/publishing.ts';
export { AuditRecorder, type RefusedAction } from './http/audit-recorder.ts';
export { prepareService, type Service, type Started, startService } from './foundation/service.ts';
export { type Done, Streams } from './foundation/streams.ts';
export { Timers } from './foundation/timers.ts';
export { CheckedHere, Internal, isInGroup, Needs, Open, SignedIn } from './http/access.ts';
export { Audited, type AuditedAction, AuditedIfUnknown, idIn } from './http/audited.ts';
export { answerOnSocket } from './http/broken-request.ts';
export { Caller } from './http/caller.ts';
export { type CallerStatement, CallerStatements } from './http/caller-statement.ts';
export { type Erased, ErasuresController } from './http/erasures.controller.ts';
export { etagOf, requireMatch } from './http/etag.ts';
export { derivedId, FreshId, MakesUser } from './http/fresh-id.ts';
export { CREDENTIALS_PATH } from './http/credentials.controller.ts';
export { costOf, dollars, nanoPerMillion } from './http/money.ts';
export { IsUlid } from './http/is-ulid.ts';
export { Bodies, linger, replaceBody } from './http/bodies.ts';
export { AT_ONCE, IN_ONE_TURN, parseJson } from './http/json-body.ts';
export { JsonReader, type JsonVisitor } from './http/json-reader.ts';
export { canonicalJson, PageTokens } from './http/page-token.ts';
export { isUlid, Limit } from './http/query.ts';
export { type RefusalForm, RefusesAs } from './http/refusal-form.ts';
export { BodyLimit, LongAnswer } from './http/route-options.ts';
export { MayBeLeftOut } from './http/body-shape.ts';
export { SESSION_HEADER } from './http/session-header.ts';
export { SLICE_MS, turns } from './http/turns.ts';
export { IdParam } from './http/validation.ts';
export type { Logger } from './observing/logging.ts';
export { Readiness } from './observing/readiness.ts';
export { RequestContext } from './observing/request-context.ts';
