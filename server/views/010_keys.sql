-- Text form of a key: Crockford base 32, 26 characters.
create function uuid_to_ulid(id uuid) returns text language sql immutable strict parallel safe as $$
  select string_agg(substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', 1 + part::int, 1), '' order by position)
  from (
    select position, sum(get_bit(bytes, 8 * (bit_index / 8) + 7 - bit_index % 8) << (4 - bit)) as part
    from uuid_send(id) as bytes,
         generate_series(0, 25) as position,
         generate_series(0, 4) as bit,
         lateral (select position * 5 + bit - 2 as bit_index) as place
    where bit_index >= 0
    group by position
  ) parts
$$;
