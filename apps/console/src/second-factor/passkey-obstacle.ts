export type PasskeyObstacle = 'address' | 'insecure' | 'browser';

interface Conditions {
  /** Whether the installation has a host name, which passkeys need. */
  readonly server: boolean;
  /** Whether the page was loaded over https, or from localhost. */
  readonly isSecure: boolean;
  readonly browser: boolean;
}

/** The first obstacle that has to be removed. */
export function passkeyObstacle({ server, isSecure, browser }: Conditions): PasskeyObstacle | null {
  if (!server) return 'address';
  if (!isSecure) return 'insecure';
  return browser ? null : 'browser';
}
