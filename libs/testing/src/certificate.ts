import { generateKeyPairSync, sign } from 'node:crypto';

const element = (tag: number, ...parts: readonly Buffer[]) => {
  const body = Buffer.concat(parts);
  const length = body.length < 128 ? [body.length] : [0x82, body.length >> 8, body.length & 255];
  return Buffer.concat([Buffer.from([tag, ...length]), body]);
};
const sequence = (...parts: readonly Buffer[]) => element(0x30, ...parts);
const time = (year: number) => element(0x17, Buffer.from(`${String(year % 100).padStart(2, '0')}0101000000Z`));
const ECDSA_WITH_SHA256 = sequence(Buffer.from('06082a8648ce3d040302', 'hex'));
const COMMON_NAME = Buffer.from('0603550403', 'hex');

/** A certificate for a host name, signed by itself: no client trusts it. */
export function selfSigned(host: string): { key: string; cert: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const name = sequence(element(0x31, sequence(COMMON_NAME, element(0x0c, Buffer.from(host)))));
  const year = new Date().getUTCFullYear();
  const version = element(0xa0, element(0x02, Buffer.from([2])));
  const spki = publicKey.export({ type: 'spki', format: 'der' });
  const signed = sequence(
    version,
    element(0x02, Buffer.from([1])),
    ECDSA_WITH_SHA256,
    name,
    sequence(time(year), time(year + 2)),
    name,
    spki,
  );
  const der = sequence(signed, ECDSA_WITH_SHA256, element(0x03, Buffer.from([0]), sign('sha256', signed, privateKey)));
  const cert = `-----BEGIN CERTIFICATE-----\n${der.toString('base64').replaceAll(/(.{64})/g, '$1\n')}\n-----END CERTIFICATE-----\n`;
  return { key: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string, cert };
}
