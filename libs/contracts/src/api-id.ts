/** The part of the address that names the published API of a deployment. It is the first part of a host name, so it has lower-case letters and digits only. */
export const apiIdOf = (deploymentId: string): string => deploymentId.toLowerCase();
