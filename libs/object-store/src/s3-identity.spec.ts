import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { openS3ObjectStore } from './s3.ts';

/** The answer of AWS STS to AssumeRoleWithWebIdentity. */
const assumed = `<AssumeRoleWithWebIdentityResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><AssumeRoleWithWebIdentityResult>
<Credentials><AccessKeyId>OF-THE-ROLE</AccessKeyId><SecretAccessKey>only-for-this-test</SecretAccessKey><SessionToken>session</SessionToken>
<Expiration>2126-01-01T00:00:00Z</Expiration></Credentials></AssumeRoleWithWebIdentityResult></AssumeRoleWithWebIdentityResponse>`;

describe('a store without keys of its own', () => {
  const before = { ...process.env };
  let directory: string;
  let sts: Server;
  let requests: string[];

  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 's3-identity-'));
    requests = [];
    sts = createServer((request, response) => {
      let body = '';
      request.on('data', (chunk) => (body += chunk));
      request.on('end', () => {
        requests.push(body);
        response.writeHead(200, { 'content-type': 'text/xml' }).end(assumed);
      });
    });
    await new Promise<void>((resolve) => sts.listen(0, '127.0.0.1', resolve));
    const token = join(directory, 'token');
    await writeFile(token, 'of-the-service-account');
    for (const name of Object.keys(process.env)) if (name.startsWith('AWS_')) delete process.env[name];
    // The variables that Kubernetes sets in a pod whose service account has a role (IRSA).
    Object.assign(process.env, {
      AWS_ROLE_ARN: 'arn:aws:iam::000000000000:role/parlance',
      AWS_WEB_IDENTITY_TOKEN_FILE: token,
      AWS_ENDPOINT_URL_STS: `http://127.0.0.1:${(sts.address() as AddressInfo).port}`,
    });
  });
  afterEach(async () => {
    process.env = before;
    sts.closeAllConnections();
    await new Promise((resolve) => sts.close(resolve));
    await rm(directory, { recursive: true });
  });

  it('signs as the role of the service account of its pod', async () => {
    const store = openS3ObjectStore({ region: 'eu-central-1', bucket: 'files', edge: { baseUrl: '', secret: Buffer.alloc(32) } });
    const url = await store.directDownload('a');
    expect(new URLSearchParams(requests[0]).get('WebIdentityToken')).toBe('of-the-service-account');
    const { searchParams } = new URL(url);
    expect(searchParams.get('X-Amz-Credential')).toMatch(/^OF-THE-ROLE\//);
    expect(searchParams.get('X-Amz-Security-Token')).toBe('session');
    await store.close();
  });
});
