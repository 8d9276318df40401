/** The authorization server's answer, read from the fragment of the address. */
export type ToolCallback =
  | { readonly kind: 'granted'; readonly server: string; readonly code: string; readonly state: string; readonly iss?: string }
  | { readonly kind: 'refused' }
  | { readonly kind: 'incomplete' };

export function toolCallbackOf(fragment: string): ToolCallback {
  const parameters = new URLSearchParams(fragment);
  const [state, code, iss] = [parameters.get('state'), parameters.get('code'), parameters.get('iss')];
  if (parameters.has('error')) return { kind: 'refused' };
  // The server's name is the part of the state before the first dot.
  const server = state?.split('.', 1)[0];
  if (!state || !code || !server) return { kind: 'incomplete' };
  return { kind: 'granted', server, code, state, ...(iss !== null && { iss }) };
}
