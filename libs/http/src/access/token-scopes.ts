/** What personal access tokens may be made for, and whether only administrators can do something with it. */
const SCOPES = {
  chat: 'everybody',
  approve: 'everybody',
  'bots:read': 'everybody',
  'bots:write': 'everybody',
  publish: 'everybody',
  'admin:read': 'administrators',
  'admin:write': 'administrators',
  'exports:read': 'administrators',
} as const;
export type TokenScope = keyof typeof SCOPES;
export const TOKEN_SCOPES = Object.keys(SCOPES) as readonly TokenScope[];

/** A token with such a scope is made with a fresh second factor, because it can do what a session with one can. */
export const isForAdministrators = (scope: TokenScope): boolean => SCOPES[scope] === 'administrators';

/** The scope of an operation; null: it is not for personal access tokens. */
type Scope = TokenScope | null;
type Rule = readonly [path: RegExp, read: Scope, write: Scope];

/**
 * The one place that says which scope of a personal access token each operation needs. The first rule whose path matches decides: by its first scope about
 * GET, by its second about the other methods. An operation without a rule is not for tokens.
 */
const RULES: readonly Rule[] = [
  // A token makes no other credential, and ends none.
  [/^\/auth\//, null, null],
  [/^\/user\/me\/(factors|step-up|tokens)(\/|$)/, null, null],
  [/^\/admin\/(scim-tokens|tokens)(\/|$)/, null, null],
  [/^\/admin\/service-accounts\/\{\w+\}\/tokens(\/|$)/, null, null],
  [/^\/admin\/users\/\{\w+\}\/(factors|password-reset|sessions)$/, null, null],
  // An export has everything of its user, and its address needs no credentials.
  [/^\/user\/me\/(export$|exports\/)/, null, null],
  [/^\/admin\/users\/\{\w+\}\/export$/, null, null],
  // The user has to be at the browser.
  [/^\/user\/me\/tool-connections\/\{\w+\}\/(authorize|complete)$/, null, null],

  // Exports have the texts of all conversations, and their addresses need no credentials.
  [/^\/admin\/exports\/(\{\w+\}|query)$/, 'exports:read', 'exports:read'],
  [/^\/admin\//, 'admin:read', 'admin:write'],
  [/^\/bot\/\{\w+\}\/publication(\/|$)/, 'publish', 'publish'],
  // The address that it answers with takes an upload.
  [/^\/bot\/\{\w+\}\/presigned-url$/, 'bots:write', 'bots:write'],
  // It answers with text of the bot's knowledge and changes nothing.
  [/^\/bot\/\{\w+\}\/knowledge\/search$/, 'bots:read', 'bots:read'],
  [/^\/(bot|store)(\/|$)/, 'bots:read', 'bots:write'],
  // The approval of a call is the decision of a person. A program that chats does not approve what the model asks for.
  [/^\/conversation\/\{\w+\}\/\{\w+\}\/tool-calls\/\{\w+\}$/, 'chat', 'approve'],
  [/^\/(conversation|conversations|config|shared)(\/|$)/, 'chat', 'chat'],
  [/^\/user\/me\/(shares|usage|tool-connections)(\/|$)/, 'chat', 'chat'],
  [/^\/user\/(search|group\/search)$/, 'bots:read', null],
  [/^\/user\/(me|names|\{\w+\})$/, 'chat', null],
];

/** `path` as in the OpenAPI document, with parameters in braces. */
export function tokenScopeOf(method: string, path: string): Scope {
  const rule = RULES.find(([paths]) => paths.test(path));
  if (!rule) return null;
  const [, read, write] = rule;
  return method.toLowerCase() === 'get' ? read : write;
}
