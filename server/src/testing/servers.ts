/** Addresses of the real servers, by name; scripts/test-servers.mjs starts them and says where they are. */
export function testServers(): Record<string, Record<string, string & number>> {
  const text = process.env.QUARTERDECK_TEST_SERVERS
  if (!text) throw new Error('these tests need real servers: npm run test:servers')
  return JSON.parse(text) as ReturnType<typeof testServers>
}
