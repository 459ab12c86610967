#include "setup/control_groups.hpp"

#include "system_files.hpp"

namespace lipizz::setup::control_groups_test {
namespace {

class ControlGroups : public SystemFiles {
 protected:
  ControlGroups() { write("proc/self/cgroup", "0::/slurm/job_7\n"); }

  void mount_version_2(const std::string& top) const {
    write("proc/self/mountinfo",
          "22 1 8:1 / / rw - ext4 /dev/sda rw\n"
          "41 31 0:38 " +
              top + " /sys/fs/cgroup rw,relatime shared:9 - cgroup2 cgroup2 rw\n");
  }

  std::vector<comm::MemoryLimit> limits(std::uint64_t free_swap_bytes = 0) const {
    return limits_of_control_groups(root_, free_swap_bytes);
  }
};

TEST_F(ControlGroups, version_2_counts_what_could_be_given_back_as_free) {
  mount_version_2("/");
  write("sys/fs/cgroup/slurm/job_7/memory.max", "1000\n");
  write("sys/fs/cgroup/slurm/job_7/memory.current", "700\n");
  write("sys/fs/cgroup/slurm/job_7/memory.stat",
        "anon 300\nfile 390\ninactive_file 100\nactive_file 40\nslab_reclaimable 2\n");
  ASSERT_EQ(limits().size(), 1U);
  EXPECT_EQ(limits()[0].name, "the control group's /sys/fs/cgroup/slurm/job_7/memory.max");
  EXPECT_EQ(limits()[0].free_bytes, 300U + 100 + 40 + 2);
  EXPECT_NE(limits()[0].shared_by, 0U);
  EXPECT_EQ(limits(50)[0].free_bytes, 442U + 50) << "no limit on swap is known";
  write("sys/fs/cgroup/slurm/job_7/memory.swap.max", "30\n");
  write("sys/fs/cgroup/slurm/job_7/memory.swap.current", "10\n");
  EXPECT_EQ(limits(50)[0].free_bytes, 442U + 20);
}

TEST_F(ControlGroups, those_around_count_too_and_those_without_a_limit_do_not) {
  mount_version_2("/");
  write("sys/fs/cgroup/slurm/job_7/memory.max", "max\n");
  write("sys/fs/cgroup/slurm/memory.max", "5000\n");
  ASSERT_EQ(limits().size(), 1U);
  EXPECT_EQ(limits()[0].free_bytes, 5000U);
}

TEST_F(ControlGroups, a_container_sees_its_own_at_the_top) {
  write("sys/fs/cgroup/memory.max", "5000\n");
  for (const std::string top : {"/slurm/job_7", "/another"}) {
    mount_version_2(top);
    ASSERT_EQ(limits().size(), 1U) << top;
    EXPECT_EQ(limits()[0].name, "the control group's /sys/fs/cgroup/memory.max");
  }
}

TEST_F(ControlGroups, version_1_bounds_memory_with_swap) {
  write("proc/self/cgroup", "4:cpu,cpuacct:/other\n9:memory:/job\n");
  write("proc/self/mountinfo",
        "32 31 0:29 / /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu,cpuacct\n"
        "35 31 0:32 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n");
  const std::string job = "sys/fs/cgroup/memory/job/";
  write("sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");  // none
  write(job + "memory.limit_in_bytes", "1000\n");
  write(job + "memory.usage_in_bytes", "900\n");
  write(job + "memory.stat", "cache 50\ntotal_inactive_file 30\ntotal_active_file 7\n");
  ASSERT_EQ(limits().size(), 1U);
  EXPECT_EQ(limits()[0].free_bytes, 100U + 37);
  EXPECT_EQ(limits(500)[0].free_bytes, 600U + 37);
  write(job + "memory.memsw.limit_in_bytes", "1100\n");
  write(job + "memory.memsw.usage_in_bytes", "950\n");
  EXPECT_EQ(limits(500)[0].free_bytes, 150U + 37);
}

TEST_F(ControlGroups, without_any_there_is_no_limit) {
  EXPECT_TRUE(limits().empty());
  mount_version_2("/");
  EXPECT_TRUE(limits().empty());
}

TEST_F(ControlGroups, version_2_shares_out_processors) {
  mount_version_2("/");
  EXPECT_FALSE(processors_of_control_groups(root_));
  write("sys/fs/cgroup/slurm/job_7/cpu.max", "max 100000\n");
  EXPECT_FALSE(processors_of_control_groups(root_));
  write("sys/fs/cgroup/slurm/cpu.max", "250000 100000\n");
  EXPECT_EQ(processors_of_control_groups(root_), 2.5);
  write("sys/fs/cgroup/slurm/job_7/cpu.max", "800000 100000\n");
  EXPECT_EQ(processors_of_control_groups(root_), 2.5) << "the narrowest counts";
}

TEST_F(ControlGroups, version_1_shares_out_processors) {
  write("proc/self/cgroup", "4:cpu,cpuacct:/job\n9:memory:/other\n");
  write("proc/self/mountinfo",
        "32 31 0:29 / /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu,cpuacct\n");
  const std::string job = "sys/fs/cgroup/cpu/job/";
  write(job + "cpu.cfs_period_us", "50000\n");
  write(job + "cpu.cfs_quota_us", "-1\n");
  EXPECT_FALSE(processors_of_control_groups(root_));
  write(job + "cpu.cfs_quota_us", "200000\n");
  EXPECT_EQ(processors_of_control_groups(root_), 4);
}

TEST_F(ControlGroups, a_share_that_is_no_number_is_none) {
  mount_version_2("/");
  for (const std::string text : {"", "\n", "200000", "0 100000", "1 0", "a b", "1 2 3", "-1 100000",
                                 "99999999999999999999 1"}) {
    write("sys/fs/cgroup/slurm/job_7/cpu.max", text);
    EXPECT_FALSE(processors_of_control_groups(root_)) << text;
  }
}

}  // namespace
}  // namespace lipizz::setup::control_groups_test
