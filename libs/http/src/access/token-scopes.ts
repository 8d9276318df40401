/** The scopes of personal access tokens, and who can use each of them. */
const SCOPES = {
  chat: 'everybody',
  approve: 'everybody',
  'bots:read': 'everybody',
  'bots:write': 'everybody',
  publish: 'everybody',
  models: 'everybody',
  'admin:read': 'administrators',
  'admin:write': 'administrators',
  'exports:read': 'administrators',
} as const;
export type TokenScope = keyof typeof SCOPES;
export const TOKEN_SCOPES = Object.keys(SCOPES) as readonly TokenScope[];

/** Creating a token with such a scope needs a fresh second factor, because the token can do everything that a session with one can. */
export const isForAdministrators = (scope: TokenScope): boolean => SCOPES[scope] === 'administrators';

/** The scope of an operation; null if personal access tokens cannot be used for it. */
type Scope = TokenScope | null;
type Rule = readonly [path: RegExp, read: Scope, write: Scope];

/**
 * The scope of a personal access token that each operation needs. The first rule whose path matches applies: its first scope for GET, its second
 * for the other methods. An operation without a rule does not admit tokens.
 */
const RULES: readonly Rule[] = [
  // A token cannot create or invalidate credentials.
  [/^\/auth\//, null, null],
  [/^\/user\/me\/(factors|step-up|tokens)(\/|$)/, null, null],
  [/^\/admin\/(scim-tokens|tokens)(\/|$)/, null, null],
  [/^\/admin\/service-accounts\/\{\w+\}\/tokens(\/|$)/, null, null],
  [/^\/admin\/users\/\{\w+\}\/(factors|password-reset|sessions)$/, null, null],
  // An export contains all data of its user, and its address needs no credentials.
  [/^\/user\/me\/(export$|exports\/)/, null, null],
  [/^\/admin\/users\/\{\w+\}\/export$/, null, null],
  // The user has to be at the browser.
  [/^\/user\/me\/tool-connections\/\{\w+\}\/(authorize|complete)$/, null, null],

  // Exports contain the texts of all conversations, and their addresses need no credentials.
  [/^\/admin\/exports\/(\{\w+\}|query)$/, 'exports:read', 'exports:read'],
  [/^\/admin\//, 'admin:read', 'admin:write'],
  [/^\/bot\/\{\w+\}\/publication(\/|$)/, 'publish', 'publish'],
  // The address in the answer accepts an upload.
  [/^\/bot\/\{\w+\}\/presigned-url$/, 'bots:write', 'bots:write'],
  // Returns text of the bot's knowledge and changes nothing.
  [/^\/bot\/\{\w+\}\/knowledge\/search$/, 'bots:read', 'bots:read'],
  [/^\/(bot|store)(\/|$)/, 'bots:read', 'bots:write'],
  // A person decides whether a tool call is approved. A program that may chat may not approve the calls that the model requests.
  [/^\/conversation\/\{\w+\}\/\{\w+\}\/tool-calls\/\{\w+\}$/, 'chat', 'approve'],
  [/^\/(conversation|conversations|projects|prompts|config|shared)(\/|$)/, 'chat', 'chat'],
  [/^\/user\/me\/(memories|memory|notifications|shares|usage|tool-connections)(\/|$)/, 'chat', 'chat'],
  // Programs call models without a bot.
  [/^\/v1\//, 'models', 'models'],
  [/^\/user\/me\/(calls(\/summary)?|models)$/, 'models', null],
  [/^\/user\/(search|group\/search)$/, 'bots:read', null],
  [/^\/user\/(me|names|\{\w+\})$/, 'chat', null],
];

/** `path` is written as in the OpenAPI document, with parameters in braces. */
export function tokenScopeOf(method: string, path: string): Scope {
  const rule = RULES.find(([paths]) => paths.test(path));
  if (!rule) return null;
  const [, read, write] = rule;
  return method.toLowerCase() === 'get' ? read : write;
}
