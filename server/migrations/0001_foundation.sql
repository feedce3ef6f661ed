-- What every later table leans on: keys, enums, the incident number.

create type source as enum ('KubernetesCRD', 'ConfigFile', 'UI', 'Topology', 'Push', 'CRDSync');

create type playbook_run_status as enum ('scheduled', 'running', 'cancelled', 'completed', 'failed', 'pending', 'sleeping');

create sequence incident_id_sequence start 1 increment 1;

-- 6 bytes of Unix milliseconds, then random bytes, so that keys sort by creation. The version and variant
-- bits of the random part stay as they are: strict uuid validators then accept the keys. It lives here and not
-- among the re-created functions because column defaults depend on it.
create function generate_ulid() returns uuid language sql volatile parallel safe as $$
  select encode(
    overlay(
      uuid_send(gen_random_uuid())
      placing substring(int8send((extract(epoch from clock_timestamp()) * 1000)::bigint) from 3)
      from 1 for 6),
    'hex')::uuid
$$;

-- Partitions live apart, so that `public` holds only what the data API shows.
create schema if not exists quarterdeck_partitions;
