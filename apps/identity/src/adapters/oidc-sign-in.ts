/** What ties an answer of the provider to the browser that was sent there. */
export interface Proofs {
  readonly state: string;
  readonly nonce: string;
  /** PKCE's: the provider has seen its hash, and gets the code's worth only for itself. */
  readonly verifier: string;
}

/** What a provider states about the person who signed in, checked. */
export type Claims = Readonly<Record<string, unknown>> & { readonly iss: string; readonly sub: string };

/** Signing in at one provider. */
export abstract class OidcSignIn {
  /** Fresh ones, for one sign-in. */
  abstract newProofs(): Proofs;
  /** Where the browser has to go. Throws the refusal `oidc_provider_unavailable`. */
  abstract addressFor(proofs: Proofs): Promise<string>;
  /** What the provider states, in exchange for what the browser brought back. Throws `oidc_refused` and `oidc_provider_unavailable`. */
  abstract claims(query: URLSearchParams, proofs: Proofs): Promise<Claims>;
  abstract close(): Promise<void>;
}
