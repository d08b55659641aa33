import ipaddr from 'ipaddr.js';

type Cidr = [ipaddr.IPv4 | ipaddr.IPv6, number];
const cidrs = (...ranges: string[]): Cidr[] => ranges.map((range) => ipaddr.parseCIDR(range));

/** The only part of IPv6 that is assigned to public hosts. */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');

/** Public by the tables, and still no place for a picture. */
const ALSO_REFUSED = cidrs(
  '168.63.129.16/32', // Azure's host agent
  '192.0.0.0/24', // protocol assignments, Oracle's metadata service
  '192.31.196.0/24', // AS112
  '192.52.193.0/24', // AMT
  '192.88.99.0/24', // 6to4 relays
  '192.175.48.0/24', // AS112
  '198.18.0.0/15', // benchmarks
  '2001::/23', // protocol assignments: Teredo, ORCHID, benchmarks
  '2001:db8::/32', // documentation
  '2002::/16', // 6to4
  '2620:4f:8000::/48', // AS112
  '3fff::/20', // documentation
);

const within = (address: ipaddr.IPv4 | ipaddr.IPv6, [range, bits]: Cidr): boolean =>
  address.kind() === range.kind() && address.match(range, bits);

/**
 * Whether an address, as a resolver or a parsed url gives it, belongs to a host on the public internet. Whatever
 * wraps an IPv4 address in an IPv6 one (mapped, compatible, NAT64, 6to4, Teredo) is refused without unwrapping.
 */
export function isPublicAddress(text: string): boolean {
  if (!ipaddr.IPv4.isValidFourPartDecimal(text) && !ipaddr.IPv6.isValid(text)) return false;
  const address = ipaddr.parse(text);
  if (address.range() !== 'unicast') return false;
  if (address instanceof ipaddr.IPv6 && (address.zoneId !== undefined || !address.match(GLOBAL_UNICAST))) return false;
  return !ALSO_REFUSED.some((range) => within(address, range));
}
