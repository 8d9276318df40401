import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { cached, cachePath } from './cache.ts';
import { kafkaProperties } from './kafka-properties.ts';
import { run } from '../run.ts';

// 4.4.0 does not resolve: one of its artifacts is missing.
const VERSION = '4.3.1';
const LIB = `kafka/${VERSION}/lib`;
const COPY_DEPENDENCIES = 'org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies';

const POM = `<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>parlance</groupId>
  <artifactId>kafka-for-tests</artifactId>
  <version>1</version>
  <dependencies>
    <dependency><groupId>org.apache.kafka</groupId><artifactId>kafka_2.13</artifactId><version>${VERSION}</version></dependency>
    <dependency><groupId>org.slf4j</groupId><artifactId>slf4j-simple</artifactId><version>1.7.36</version></dependency>
  </dependencies>
</project>
`;

export interface KafkaFiles {
  readonly lib: string;
  /** A data directory formatted by the storage tool. New brokers get a copy of it, because formatting runs a Java program for 1.5 s. */
  readonly formatted: string;
}

export function kafkaPath(): string {
  return cachePath(LIB);
}

/** The files of a broker, fetched by Maven if they are not in the cache. Rejects if Maven cannot reach its repository. */
export async function kafkaFiles(): Promise<KafkaFiles> {
  const lib = await cached(LIB, async (folder) => {
    await writeFile(join(folder, 'pom.xml'), POM);
    await run('mvn', ['-B', '-ntp', '-q', COPY_DEPENDENCIES, '-DincludeScope=runtime', `-DoutputDirectory=${folder}`], folder);
  });
  const formatted = await cached(`kafka/${VERSION}/formatted`, async (folder) => {
    const properties = `${folder}.properties`;
    await writeFile(properties, kafkaProperties([{ port: 9092, controllerPort: 9093, data: folder }]));
    await formatKafka(lib, properties);
  });
  return { lib, formatted };
}

/** A cluster ID must not begin with a hyphen, but base64url may begin with one. */
export const newClusterId = (): string => Buffer.concat([Buffer.of(0), randomBytes(15)]).toString('base64url');

export async function formatKafka(
  lib: string,
  properties: string,
  more: readonly string[] = [],
  clusterId = newClusterId(),
): Promise<void> {
  await run('java', [...vmOptions(lib), 'kafka.tools.StorageTool', 'format', '-t', clusterId, '-c', properties, ...more]);
}

/** Options for little memory and a quick start, instead of long-term performance. */
export function vmOptions(lib: string): string[] {
  return [
    '-Xms64m',
    '-Xmx320m',
    '-XX:+UseSerialGC',
    '-XX:TieredStopAtLevel=1',
    '-Xshare:auto',
    '-Djava.net.preferIPv4Stack=true',
    '-Dorg.slf4j.simpleLogger.defaultLogLevel=warn',
    '-cp',
    join(lib, '*'),
  ];
}
