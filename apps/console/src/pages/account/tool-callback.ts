/** What an authorization server has sent back, by the fragment of the address. */
export type ToolCallback =
  | { readonly kind: 'granted'; readonly server: string; readonly code: string; readonly state: string; readonly iss?: string }
  | { readonly kind: 'refused' }
  | { readonly kind: 'incomplete' };

export function toolCallbackOf(fragment: string): ToolCallback {
  const told = new URLSearchParams(fragment);
  const [state, code, iss] = [told.get('state'), told.get('code'), told.get('iss')];
  if (told.has('error')) return { kind: 'refused' };
  // The name of the server is in the state before the first dot.
  const server = state?.split('.', 1)[0];
  if (!state || !code || !server) return { kind: 'incomplete' };
  return { kind: 'granted', server, code, state, ...(iss !== null && { iss }) };
}
