import type { OpenApiDocument } from '../service-document.ts';

/** What to do about a refusal. For other codes, the `detail` of the refusal states it. */
const WHAT_TO_DO: Readonly<Record<string, string>> = {
  address_not_allowed: 'The published APIs of this installation may not be called from your address. Ask its administrator.',
  body_too_large: 'Send less. The limits are in `detail`.',
  bot_not_found: 'The bot is gone. Ask its owner.',
  budget_exceeded: 'A budget of the bot, its owner or the key is used up. `resets_at` says until when.',
  busy: 'Try again after `Retry-After`.',
  content_not_empty: 'To continue a reply, send an empty `content`.',
  content_required: 'Send a text, an image or a file in `content`.',
  conversation_not_found: 'Conversations of other APIs and deleted ones are not found. Begin a new one.',
  idempotency_key_reused: 'The key was used for another body. Make a new key for each request.',
  images_not_supported: 'Send no image, or name a model that reads images.',
  invalid_api_key:
    'The key is missing, wrong, disabled, expired, revoked, or not for your address. The answer does not say which. Ask the owner of the bot for a key.',
  invalid_body: 'Correct the fields that `errors` names.',
  invalid_file: 'Send a file of a type that is supported, with its bytes in base64.',
  invalid_id: 'Send an ID from an earlier answer.',
  invalid_idempotency_key: 'Use 1 to 255 visible ASCII characters.',
  invalid_next_token: 'Send the `next_token` of the page before, with the same query.',
  invalid_query: 'Correct the parameters that `errors` names.',
  malformed_body: 'Send JSON.',
  malformed_request: 'Correct the address of the request.',
  message_not_found: 'Check the IDs. They are in the answer to the message.',
  message_too_long: 'Send a shorter text.',
  method_not_allowed: 'The header `Allow` names the methods of the path.',
  model_not_available: 'Leave the model out, or use one that the bot offers.',
  no_such_route: 'Check the path.',
  not_a_reply: 'With `continue_generate`, name a reply in `parent_message_id`.',
  not_published: 'The bot is no longer published at this address, or the stage is wrong. Ask its owner for the endpoint.',
  nothing_to_continue: 'The reply has no text to continue. Ask for another one.',
  object_store_not_configured: 'Files cannot be sent to this installation. Send the text alone.',
  object_store_unavailable: 'Try again after `Retry-After`.',
  on_hold: 'Nothing now: the conversation has to be kept. Ask an administrator.',
  outcome_unknown:
    'It is not known whether the request had its effect. Look at `look_up` if it is there, or repeat it with the `Idempotency-Key` in `repeat_with`.',
  parent_message_unknown: 'Check `parent_message_id`, or leave it out.',
  quota_exceeded: 'The quota of the key is used up. `X-RateLimit-Reset` says until when.',
  recorded_not_visible: 'The request has been recorded. Do not repeat it.',
  reply_in_progress: 'Wait until the reply before this message is complete.',
  request_not_found: 'Check the request ID. It is in the answer of `POST /predict`.',
  service_unavailable: 'Try again after `Retry-After`.',
  throttled: 'Send fewer requests at once. Try again after `Retry-After`.',
  too_many_requests: 'Too many requests without a valid key came from your address. Try again after `Retry-After`.',
  unsupported_media_type: 'Send the header `Content-Type: application/json`.',
};

/** The edge refuses these before a route is found, or on every route. */
const EVERYWHERE: readonly (readonly [number, string])[] = [
  [403, 'address_not_allowed'],
  [403, 'invalid_api_key'],
  [404, 'no_such_route'],
  [404, 'not_published'],
  [405, 'method_not_allowed'],
  [429, 'quota_exceeded'],
  [429, 'throttled'],
  [429, 'too_many_requests'],
  [503, 'service_unavailable'],
];

/** The status, the code and the remedy of each refusal of the document's operations. */
export function refusalRows({ paths }: Pick<OpenApiDocument, 'paths'>): readonly (readonly [string, string, string])[] {
  const found = new Map<string, readonly [number, string]>();
  const add = (status: number, code: string) => found.set(`${status} ${code}`, [status, code]);
  for (const [status, code] of EVERYWHERE) add(status, code);
  for (const operation of Object.values(paths).flatMap((operations) => Object.values(operations))) {
    for (const [status, answer] of Object.entries((operation['responses'] ?? {}) as object)) {
      if (Number(status) >= 400) for (const code of codesIn(answer)) add(Number(status), code);
    }
  }
  return [...found.values()]
    .sort(([statusA, codeA], [statusB, codeB]) => statusA - statusB || (codeA < codeB ? -1 : 1))
    .map(([status, code]) => [String(status), `\`${code}\``, WHAT_TO_DO[code] ?? 'See `detail`.']);
}

/** The values of each schema named `code`, anywhere in an answer. */
function codesIn(answer: unknown): readonly string[] {
  if (typeof answer !== 'object' || answer === null) return [];
  const { code } = ((answer as { properties?: object }).properties ?? {}) as { code?: { enum?: readonly string[] } };
  return [...(code?.enum ?? []), ...Object.values(answer).flatMap(codesIn)];
}
