interface Shown {
  readonly url: string;
  readonly dataDir: string;
  readonly firstAdmin: { readonly email: string; readonly password: string | null } | null;
}

/** What somebody sees who has just started it: where it is, how to get in, what to try. */
export function banner({ url, dataDir, firstAdmin }: Shown): string {
  const email = firstAdmin?.email ?? 'YOU';
  const admin = firstAdmin
    ? `\n  First Admin   ${firstAdmin.email}\n  Password      ${firstAdmin.password ?? '(the one you configured)'}${firstAdmin.password ? '   (shown this once; change it)' : ''}\n`
    : '';
  return `
  Parlance is ready at ${url}
  Data          ${dataDir}
${admin}
  Try:
    TOKEN=$(curl -s ${url}/auth/sign-in -H 'content-type: application/json' \\
      -d '{"email": "${email}", "password": "…"}' | node -pe 'JSON.parse(fs.readFileSync(0)).access_token')
    curl -s ${url}/bot -H "authorization: Bearer $TOKEN" -H 'content-type: application/json' -d '{"title": "Guide"}'
    curl -s ${url}/openapi.json

`;
}
