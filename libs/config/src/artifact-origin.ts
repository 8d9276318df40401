import type { Objection } from './embedding-model.ts';

interface Addresses {
  readonly artifactOrigin: string | null;
  readonly publicBaseUrl: string;
}

/** An error if pages of models would have the origin of the console. */
export function artifactObjection({ artifactOrigin, publicBaseUrl }: Addresses): Objection | null {
  if (artifactOrigin === null || new URL(artifactOrigin).origin !== new URL(publicBaseUrl).origin) return null;
  return { path: 'artifactOrigin', value: artifactOrigin, allowed: 'another origin than that of publicBaseUrl' };
}
