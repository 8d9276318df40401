/** The file of the console that becomes a page that a model wrote. Its content comes from the console. */
export const ARTIFACT_FRAME = 'artifact-frame.html';

const policyFor = (console: string) =>
  [
    // The page has an origin of its own, and opens no window, form, dialog or download, also when it is opened outside of a frame.
    'sandbox allow-scripts',
    // What is not named below can be loaded from nowhere: requests of scripts, styles and fonts of other sites, workers, frames, plugins.
    "default-src 'none'",
    // What the model wrote is in the page itself.
    "script-src 'unsafe-inline'",
    "style-src 'unsafe-inline'",
    'img-src data: blob:',
    'font-src data:',
    'media-src data: blob:',
    "connect-src 'none'",
    "form-action 'none'",
    "base-uri 'none'",
    `frame-ancestors ${console}`,
  ].join('; ');

/**
 * Replace the headers of the console for this file. The page cannot navigate its frame to another site either, because the console allows
 * frames of its own origin and of `artifactOrigin` only. `console`: the origin that may show the frame, as a source of a policy.
 */
export const artifactFrameHeaders = (console = "'self'"): Readonly<Record<string, string>> => ({
  'content-security-policy': policyFor(console),
  // Closes what the policy leaves open where browsers support it: WebRTC, and looking up or connecting to a host in advance.
  'connection-allowlist': '()',
  'x-dns-prefetch-control': 'off',
  // Browsers ignore it because of `frame-ancestors`.
  'x-frame-options': 'SAMEORIGIN',
});
