/** Values that tie the provider's answer to the browser that was sent there. */
export interface Proofs {
  readonly state: string;
  readonly nonce: string;
  /** The code verifier of PKCE. The provider has seen its hash. */
  readonly verifier: string;
  /** Seconds within which the user must have signed in at the provider. Absent: at any time. */
  readonly maxAge?: number;
}

/** The verified claims of a provider about the user who signed in. */
export type Claims = Readonly<Record<string, unknown>> & { readonly iss: string; readonly sub: string };

/** Signing in at one provider. */
export abstract class OidcSignIn {
  /** New random values for one sign-in. */
  abstract newProofs(maxAge?: number): Proofs;
  /** The address at the provider that the browser is sent to. Throws the refusal `oidc_provider_unavailable`. */
  abstract addressFor(proofs: Proofs): Promise<string>;
  /** Exchanges the query of the callback for the provider's claims. Throws `oidc_refused` and `oidc_provider_unavailable`. */
  abstract claims(query: URLSearchParams, proofs: Proofs): Promise<Claims>;
  abstract close(): Promise<void>;
}
