import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';

/**
 * The addresses of the replicas behind an address, or the address itself if its name has one. Certificates are for the name, so only addresses
 * without TLS are resolved.
 */
export async function replicasAt(address: string): Promise<readonly string[]> {
  const url = new URL(address);
  if (url.protocol !== 'http:' || isIP(url.hostname.replace(/^\[|\]$/g, '')) !== 0) return [address];
  const found = await lookup(url.hostname, { all: true });
  // A replica may have an address of each family.
  const family = found.some((each) => each.family === 4) ? 4 : 6;
  const hosts = [...new Set(found.filter((each) => each.family === family).map((each) => each.address))].toSorted();
  return hosts.length < 2 ? [address] : hosts.map((host) => `http://${family === 4 ? host : `[${host}]`}:${url.port || 80}`);
}
