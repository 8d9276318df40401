import { generateKeyPairSync, sign } from 'node:crypto';

const element = (tag: number, ...parts: readonly Buffer[]) => {
  const body = Buffer.concat(parts);
  const length = body.length < 128 ? [body.length] : [0x82, body.length >> 8, body.length & 255];
  return Buffer.concat([Buffer.from([tag, ...length]), body]);
};
const sequence = (...parts: readonly Buffer[]) => element(0x30, ...parts);
const time = (year: number) => element(0x17, Buffer.from(`${String(year % 100).padStart(2, '0')}0101000000Z`));
const ECDSA_WITH_SHA256 = sequence(Buffer.from('06082a8648ce3d040302', 'hex'));
const ATTRIBUTES = { commonName: '0603550403', country: '0603550406', organization: '060355040a', unit: '060355040b' };
type Attribute = keyof typeof ATTRIBUTES;
const attribute = (name: Attribute, value: string) =>
  element(0x31, sequence(Buffer.from(ATTRIBUTES[name], 'hex'), element(0x0c, Buffer.from(value))));

/** A self-signed certificate for a host name, which no client trusts. `more` adds attributes to its name. */
export function selfSigned(host: string, more: Partial<Record<Attribute, string>> = {}): { key: string; cert: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const names = Object.entries({ commonName: host, ...more }) as [Attribute, string][];
  const name = sequence(...names.map(([each, value]) => attribute(each, value)));
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
