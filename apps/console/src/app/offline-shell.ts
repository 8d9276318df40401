interface Factory {
  createPolicy(name: string, rules: { createScriptURL: (url: string) => string }): { createScriptURL(url: string): string };
}

const SCRIPT = '/app/service-worker.js';

/**
 * Lets the browser keep the files of the first page, so that the console opens without a connection. Browsers support this only over https
 * or on `localhost`. Trusted Types forbid the script without a policy. This one allows no other script.
 */
export function keepShell(): void {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return;
  const { trustedTypes } = globalThis as { trustedTypes?: Factory };
  const policy = trustedTypes?.createPolicy('offline-shell', { createScriptURL: () => SCRIPT });
  // Without it, the console needs a connection.
  navigator.serviceWorker.register(policy?.createScriptURL(SCRIPT) ?? SCRIPT, { updateViaCache: 'none' }).catch(() => undefined);
}
