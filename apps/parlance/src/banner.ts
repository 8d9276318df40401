interface Shown {
  readonly url: string;
  readonly dataDir: string;
  readonly firstAdmin: { readonly email: string; readonly password: string | null } | null;
  /** Whether the console is served at /app/. */
  readonly hasConsole: boolean;
}

/** The text printed at the start: the address, how to sign in, and commands to try. */
export function banner({ url, dataDir, firstAdmin, hasConsole }: Shown): string {
  const { email, password } = firstAdmin ?? { email: 'YOU', password: null };
  const admin = firstAdmin
    ? `\n  Administrator ${email}\n  Password      ${password === null ? '(the one you configured)' : `${password}   (shown only once; change it first)`}\n`
    : '';
  const welcome = hasConsole && password !== null ? `  Sign in at    ${welcomeLink(url, email, password)}\n` : '';
  const hint =
    password === null
      ? 'Try:'
      : 'Try these, with a password of your own (8 characters or more) for YOURS. Until you change it, nothing else works:';
  return `
  Parlance is ready at ${url}
  Data          ${dataDir}
${admin}${welcome}
  ${hint}
${commands(url, email, password)}
`;
}

/** Browsers do not send the fragment (after #), so the password reaches no log of a server or proxy. */
const welcomeLink = (url: string, email: string, password: string): string =>
  `${url}/app/welcome#${encodeURIComponent(email)}/${encodeURIComponent(password)}`;

/** Commands to paste into a shell. A generated password must be changed first. */
function commands(url: string, email: string, password: string | null): string {
  const json = `-H 'content-type: application/json'`;
  const bearer = `-H "authorization: Bearer $TOKEN"`;
  const tokenOf = (call: string, body: string) =>
    `TOKEN=$(curl -s ${url}/${call} \\\n      -d '${body}' | node -pe 'JSON.parse(fs.readFileSync(0)).access_token')`;
  const change = tokenOf(`auth/password ${bearer} ${json}`, `{"current_password": "${password}", "new_password": "YOURS"}`);
  return [
    tokenOf(`auth/sign-in ${json}`, `{"email": "${email}", "password": "${password ?? '…'}"}`),
    ...(password === null ? [] : [change]),
    `curl -s ${url}/bot ${bearer} ${json} -d '{"title": "Guide"}'`,
    `curl -s ${url}/openapi.json`,
  ]
    .map((command) => `    ${command}\n`)
    .join('');
}
